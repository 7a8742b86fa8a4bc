#include "wherry/halo/index_lists.hpp"

#include <algorithm>
#include <map>

#include "wherry/plan/schedule_builder.hpp"

#include "core/sparse_exchange.hpp"
#include "motion/index_motion.hpp"
#include "plan_indices.hpp"

namespace wherry {
namespace {

constexpr const char* in_index_lists = "index exchange";
constexpr detail::checked place{in_index_lists, "place of an element in bytes"};

void check(std::span<const ghost> sorted, const communicator& comm) {
  const auto fail = [&](const ghost& g, std::string_view what) {
    throw error(error_kind::argument, in_index_lists, detail::text("ghost ", g.index_here, " ", what), comm.rank());
  };
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const auto& g = sorted[i];
    if (g.owner < 0 || g.owner >= comm.size())
      fail(g, detail::text("is owned by rank ", g.owner, ", expected 0 to ", comm.size() - 1));
    if (g.index_there < 0)
      fail(g, detail::text("mirrors element ", g.index_there, " of rank ", g.owner, ", expected 0 or more"));
    if (g.index_here < 0) fail(g, "has a negative index, expected 0 or more");
    if (i > 0 && g.index_here == sorted[i - 1].index_here)
      fail(g, detail::text("is named twice: as element ", sorted[i - 1].index_there, " of rank ", sorted[i - 1].owner,
                           " and as element ", g.index_there, " of rank ", g.owner));
  }
}

/// All indices of a peer. Refers to the user's list if there is only one, and otherwise joins the lists.
struct whole_list {
  std::span<const index_t> at;
  std::vector<index_t> joined;

  whole_list() = default;
  whole_list(const whole_list&) = delete;  // `at` may refer to `joined`
  whole_list& operator=(const whole_list&) = delete;

  void add(std::span<const index_t> more) {
    if (more.empty()) return;
    if (at.empty()) {
      at = more;
      return;
    }
    if (joined.empty()) joined.assign(at.begin(), at.end());
    joined.insert(joined.end(), more.begin(), more.end());
    at = joined;
  }
};

/// The lists of all peers, ascending by peer. Refers to the user's lists.
using lists_by_peer = std::map<int, whole_list>;

lists_by_peer by_peer(const std::vector<peer_indices>& lists) {
  lists_by_peer result;
  for (const auto& list : lists) result[list.peer].add(list.at);
  return result;
}

/// @param number the array's
void check_range(const detail::index_field& array, std::size_t number, const lists_by_peer& lists,
                 std::string_view what, int rank) {
  for (const auto& [peer, list] : lists)
    for (const index_t i : list.at)
      if (i < 0 || i >= array.count)
        throw error(error_kind::argument, in_index_lists,
                    detail::text("index ", i, ", ", what, " rank ", peer, ", lies outside array ", number,
                                 ", which has ", array.count, " elements"),
                    rank, {peer});
}

plans::field_shape shape_of(const detail::index_field& f) {
  const auto last = place.product(std::max<index_t>(1, f.count) - 1, f.stride);
  return {f.name, f.element, std::min<index_t>(0, last), place.sum(std::max<index_t>(0, last), f.element), f.space,
          f.type, nullptr};
}

detail::index_array_shape array_of(const detail::index_field& f, int rank) {
  detail::index_array_shape array;
  array.element = f.element;
  array.type = f.type;
  array.stride = f.stride;
  array.space = f.space;
  array.parts = {{rank, 0, 0, f.count}};
  return array;
}

/// One entry for each rank that data goes to, and one for each that it comes from. The rank's own list is one entry.
std::vector<detail::placed_motion> entries_of(const lists_by_peer& out, const lists_by_peer& in, int rank) {
  using detail::section_places;
  std::vector<detail::placed_motion> entries;
  for (const auto& [peer, list] : out)
    if (!list.at.empty())
      entries.push_back({rank, peer, rank, peer, std::ssize(list.at), section_places::of(list.at), {}});
  for (const auto& [peer, list] : in) {
    if (list.at.empty()) continue;
    if (peer == rank)  // both of the rank's own lists have the same length, so the first loop has made an entry
      std::find_if(entries.begin(), entries.end(), [&](const detail::placed_motion& e) {
        return e.from == rank && e.to == rank;
      })->destination = section_places::of(list.at);
    else
      entries.push_back({peer, rank, peer, rank, std::ssize(list.at), {}, section_places::of(list.at)});
  }
  return entries;
}

/// The number of indices that the rank has for itself on this side.
std::size_t own(const lists_by_peer& lists, int rank) {
  const auto found = lists.find(rank);
  return found == lists.end() ? 0 : found->second.at.size();
}

/// Lists by the peers that the elements go to and come from.
struct two_sides {
  lists_by_peer out, in;

  two_sides(const index_lists& lists, bool reverse)
      : out(by_peer(reverse ? lists.receives : lists.sends)), in(by_peer(reverse ? lists.sends : lists.receives)) {}

  void check_own(int rank) const {
    if (own(out, rank) != own(in, rank))
      throw error(error_kind::argument, in_index_lists,
                  detail::text("the lists send the rank itself ", own(out, rank), " elements, but it expects ",
                               own(in, rank), " from itself"),
                  rank);
  }
};

}  // namespace

index_lists resolve_ghosts(const communicator& comm, std::span<const ghost> ghosts) {
  std::vector<ghost> sorted(ghosts.begin(), ghosts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const ghost& a, const ghost& b) { return a.index_here < b.index_here; });
  detail::collectively(comm, in_index_lists, [&] { check(sorted, comm); });

  std::map<int, std::vector<index_t>> wanted, mine;
  for (const auto& g : sorted) {
    wanted[g.owner].push_back(g.index_there);
    mine[g.owner].push_back(g.index_here);
  }
  bytes_by_peer requests;
  for (const auto& [owner, there] : wanted)
    if (owner != comm.rank()) requests[owner] = to_bytes(there);
  const auto asked = exchange_sparsely(comm, std::move(requests), in_index_lists);

  index_lists lists;
  for (auto& [owner, here] : mine) lists.receives.push_back({owner, std::move(here)});
  for (const auto& [peer, bytes] : asked) lists.sends.push_back({peer, from_bytes<index_t>(bytes)});
  if (const auto self = wanted.find(comm.rank()); self != wanted.end())
    lists.sends.push_back({comm.rank(), self->second});
  std::sort(lists.sends.begin(), lists.sends.end(),
            [](const peer_indices& a, const peer_indices& b) { return a.peer < b.peer; });
  return lists;
}

plans::schedule plan_indices(const index_lists& lists, std::span<const detail::index_field> fields, bool reverse,
                             bool gives_back, const plans::field_operations& operations, int rank,
                             std::int64_t packet_bytes) {
  const std::vector<const index_lists*> same(fields.size(), &lists);
  return plan_indices(same, fields, {reverse ? "reverse index exchange" : in_index_lists, reverse, gives_back},
                      operations, rank, packet_bytes);
}

plans::schedule plan_indices(std::span<const index_lists* const> lists, std::span<const detail::index_field> fields,
                             const index_way& way, const plans::field_operations& operations, int rank,
                             std::int64_t packet_bytes) {
  plans::schedule_builder into(way.pattern, rank, {detail::store, operations.mixture});
  for (const auto& f : fields) into.add_field(shape_of(f));
  std::map<const index_lists*, two_sides> sides;
  for (const auto* one : lists) sides.try_emplace(one, *one, way.reverse);
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const auto& [out, in] = sides.at(lists[f]);
    check_range(fields[f], f, out, way.reverse ? "received from" : "sent to", rank);
    check_range(fields[f], f, in, way.reverse ? "sent to" : "received from", rank);
  }
  for (const auto& [which, side] : sides) side.check_own(rank);
  const auto add_stage = [&](bool back, const plans::field_operations& by) {
    std::map<const index_lists*, std::vector<detail::placed_motion>> entries;
    for (const auto& [which, side] : sides)
      entries[which] = back ? entries_of(side.in, side.out, rank) : entries_of(side.out, side.in, rank);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto array = array_of(fields[f], rank);
      const auto number = static_cast<std::int32_t>(f);
      into.arrives_by(by.of(f));
      plan_index_motion(entries.at(lists[f]), array, array,
                        {into, rank, number, number, true, by.of(f) != detail::store, f, packet_bytes});
    }
  };
  add_stage(false, operations);
  if (way.gives_back) {
    into.next_stage();
    add_stage(true, {});
  }
  return into.finish();
}

}  // namespace wherry
