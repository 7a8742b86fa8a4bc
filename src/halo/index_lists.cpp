#include "wherry/halo/index_lists.hpp"

#include <algorithm>
#include <map>

#include "wherry/plan/schedule_builder.hpp"

#include "core/sparse_exchange.hpp"

namespace wherry {
namespace {

constexpr const char* pattern = "index exchange";
constexpr checked place{pattern, "place of an element in bytes"};

void check(std::span<const ghost> sorted, const communicator& comm) {
  const auto fail = [&](const ghost& g, std::string_view what) {
    throw error(error_kind::argument, pattern, text("ghost ", g.here, " ", what), comm.rank());
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& g = sorted[i];
    if (g.owner < 0 || g.owner >= comm.size()) fail(g, text("is owned by rank ", g.owner, " of ", comm.size()));
    if (g.there < 0) fail(g, text("mirrors element ", g.there, " of rank ", g.owner));
    if (g.here < 0) fail(g, "has a negative index");
    if (i > 0 && g.here == sorted[i - 1].here)
      fail(g, text("is named twice: as element ", sorted[i - 1].there, " of rank ", sorted[i - 1].owner,
                   " and as element ", g.there, " of rank ", g.owner));
  }
}

/// All indices of each peer in one list, ascending peers.
std::map<int, std::vector<index_t>> by_peer(const std::vector<peer_indices>& lists) {
  std::map<int, std::vector<index_t>> result;
  for (const auto& list : lists) {
    auto& all = result[list.peer];
    all.insert(all.end(), list.at.begin(), list.at.end());
  }
  return result;
}

bool consecutive(const std::vector<index_t>& list) {
  for (std::size_t i = 1; i < list.size(); ++i)
    if (list[i] != list[i - 1] + 1) return false;
  return true;
}

/// Lists of indices as blocks; arrays of equal stride share their byte offsets.
class builder {
 public:
  builder(std::span<const index_field> fields, std::string_view name, int operation, int rank)
      : fields_(fields), rank_(rank), plan_(name, rank, {operation}) {
    for (const auto& f : fields_) {
      const auto last = place.product(std::max<index_t>(1, f.count) - 1, f.stride);
      plan_.add_field({f.name, f.element, std::min<index_t>(0, last), place.sum(std::max<index_t>(0, last), f.element),
                       f.space, f.type});
    }
  }

  void send(int peer, const std::vector<index_t>& list, std::string_view what) {
    for_each_block(peer, list, what, [&](const block& b) { plan_.send(peer, b); });
  }
  void receive(int peer, const std::vector<index_t>& list, std::string_view what) {
    for_each_block(peer, list, what, [&](const block& b) { plan_.receive(peer, b); });
  }
  schedule finish() { return plan_.finish(); }

 private:
  template <class Visit>
  void for_each_block(int peer, const std::vector<index_t>& list, std::string_view what, Visit visit) {
    check_range(peer, list, what);
    if (list.empty()) return;
    std::map<index_t, std::int64_t> first_of_stride;
    for (std::size_t f = 0; f < fields_.size(); ++f) {
      const auto& field = fields_[f];
      const auto number = static_cast<std::int32_t>(f);
      const auto count = static_cast<std::int64_t>(list.size());
      if (consecutive(list)) {
        const std::int64_t extents[] = {count}, strides[] = {field.stride};
        visit(strided_block(number, field.element, list.front() * field.stride, extents, strides));
        continue;
      }
      auto& indices = plan_.indices();
      const auto [known, fresh] = first_of_stride.try_emplace(field.stride, std::ssize(indices));
      if (fresh)
        for (const index_t i : list) indices.push_back(i * field.stride);
      visit(indexed_block(number, field.element, known->second, count));
    }
  }

  void check_range(int peer, const std::vector<index_t>& list, std::string_view what) const {
    for (std::size_t f = 0; f < fields_.size(); ++f)
      for (const index_t i : list)
        if (i < 0 || i >= fields_[f].count)
          throw error(error_kind::argument, pattern,
                      text("index ", i, ", ", what, " rank ", peer, ", lies outside array ", f, ", which has ",
                           fields_[f].count, " elements"),
                      rank_, {peer});
  }

  std::span<const index_field> fields_;
  int rank_;
  schedule_builder plan_;
};

/// How many the rank itself has in lists of this side.
std::size_t own(const std::map<int, std::vector<index_t>>& lists, int rank) {
  const auto found = lists.find(rank);
  return found == lists.end() ? 0 : found->second.size();
}

}  // namespace

index_lists resolve_ghosts(const communicator& comm, std::span<const ghost> ghosts) {
  std::vector<ghost> sorted(ghosts.begin(), ghosts.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const ghost& a, const ghost& b) { return a.here < b.here; });
  collectively(comm, pattern, [&] { check(sorted, comm); });

  std::map<int, std::vector<index_t>> wanted, mine;
  for (const auto& g : sorted) {
    wanted[g.owner].push_back(g.there);
    mine[g.owner].push_back(g.here);
  }
  bytes_by_peer requests;
  for (const auto& [owner, there] : wanted)
    if (owner != comm.rank()) requests[owner] = to_bytes(there);
  const auto asked = exchange_sparsely(comm, std::move(requests), pattern);

  index_lists lists;
  for (auto& [owner, here] : mine) lists.receives.push_back({owner, std::move(here)});
  for (const auto& [peer, bytes] : asked) lists.sends.push_back({peer, from_bytes<index_t>(bytes)});
  if (const auto self = wanted.find(comm.rank()); self != wanted.end())
    lists.sends.push_back({comm.rank(), self->second});
  std::sort(lists.sends.begin(), lists.sends.end(),
            [](const peer_indices& a, const peer_indices& b) { return a.peer < b.peer; });
  return lists;
}

schedule plan_indices(const index_lists& lists, std::span<const index_field> fields, bool reverse, int operation,
                      int rank) {
  builder plan(fields, reverse ? "reverse index exchange" : pattern, operation, rank);
  const auto out = by_peer(reverse ? lists.receives : lists.sends);
  const auto in = by_peer(reverse ? lists.sends : lists.receives);
  for (const auto& [peer, list] : out) plan.send(peer, list, reverse ? "received from" : "sent to");
  for (const auto& [peer, list] : in) plan.receive(peer, list, reverse ? "sent to" : "received from");
  if (own(out, rank) != own(in, rank))
    throw error(error_kind::argument, pattern,
                "the lists of what the rank sends to and receives from itself differ in length", rank);
  return plan.finish();
}

}  // namespace wherry
