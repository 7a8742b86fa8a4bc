// Index lists in the form of other codes.
#include <algorithm>
#include <cstdint>
#include <set>

#include "wherry/core/checked.hpp"
#include "wherry/halo/index_lists.hpp"

#include "core/collective.hpp"

namespace wherry {
namespace {

constexpr const char* in_flat_lists = "make_lists";

class reader {
 public:
  reader(const communicator& comm, const flat_lists& flat) : comm_(comm), flat_(flat) {}

  index_lists read() const {
    check_neighbors();
    return {lists_of("send", flat_.send_lengths, &flat_.sent), receives()};
  }

 private:
  template <class... Words> [[noreturn]] void fail(const Words&... words) const {
    throw error(error_kind::argument, in_flat_lists, detail::text(words...), comm_.rank());
  }

  void check_neighbors() const {
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < flat_.neighbors.size(); ++i) {
      const auto peer = flat_.neighbors[i];
      if (peer < 0 || peer >= comm_.size())
        fail("neighbour ", i, " is rank ", peer, ", expected 0 to ", comm_.size() - 1);
      if (!seen.insert(peer).second) fail("rank ", peer, " occurs twice among the neighbours");
    }
    if (flat_.first_external < 0) fail("'first_external' is ", flat_.first_external, ", expected 0 or more");
  }

  std::vector<peer_indices> receives() const {
    const bool behind_rows = flat_.received.empty();
    auto lists = lists_of("receive", flat_.receive_lengths, behind_rows ? nullptr : &flat_.received);
    if (behind_rows) return lists;
    std::vector<index_t> all;
    for (const auto& list : lists) all.insert(all.end(), list.at.begin(), list.at.end());
    std::sort(all.begin(), all.end());
    if (const auto twice = std::adjacent_find(all.begin(), all.end()); twice != all.end())
      fail("index ", *twice, " is received twice");
    return lists;
  }

  /// @param indices null for consecutive indices from the first external on
  std::vector<peer_indices> lists_of(std::string_view what, const detail::integer_span& lengths,
                                     const detail::integer_span* indices) const {
    const auto peers = flat_.neighbors.size();
    if (lengths.size() != peers)
      fail("'", what, "_lengths' has ", lengths.size(), " entries, expected ", peers, ", one for each neighbour");
    constexpr detail::checked sum{in_flat_lists, "number of indices"};
    std::int64_t all = 0;
    for (std::size_t i = 0; i < peers; ++i) {
      if (lengths[i] < 0)
        fail("'", what, "_lengths' has ", lengths[i], " for rank ", flat_.neighbors[i], ", expected 0 or more");
      all = sum.sum(all, lengths[i]);
    }
    if (indices != nullptr && all != static_cast<std::int64_t>(indices->size()))
      fail("'", what, "_lengths' add up to ", all, ", but there are ", indices->size(), " indices");
    std::vector<peer_indices> result;
    std::int64_t next = 0;
    for (std::size_t i = 0; i < peers; ++i) {
      if (lengths[i] == 0) continue;
      auto& list = result.emplace_back(peer_indices{static_cast<int>(flat_.neighbors[i]), {}});
      list.at.reserve(static_cast<std::size_t>(lengths[i]));
      for (const auto end = next + lengths[i]; next < end; ++next)
        list.at.push_back(indices != nullptr ? (*indices)[static_cast<std::size_t>(next)]
                                             : sum.sum(flat_.first_external, next));
      check_list(what, list, indices == &flat_.sent);
    }
    return result;
  }

  void check_list(std::string_view what, const peer_indices& list, bool rows) const {
    for (const auto index : list.at) {
      if (index < 0) fail("an index to ", what, ", rank ", list.peer, ", is ", index, ", expected 0 or more");
      if (rows && flat_.first_external > 0 && index >= flat_.first_external)
        fail("index ", index, ", sent to rank ", list.peer, ", is not a row: expected 0 to ", flat_.first_external - 1);
    }
  }

  const communicator& comm_;
  const flat_lists& flat_;
};

}  // namespace

index_lists make_lists(const communicator& comm, const flat_lists& flat) {
  index_lists lists;
  detail::collectively(comm, in_flat_lists, [&] { lists = reader(comm, flat).read(); });
  return lists;
}

}  // namespace wherry
