#include "compare_entries.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "wherry/core/error.hpp"

#include "core/sparse_exchange.hpp"
#include "text_of_box.hpp"

namespace wherry {
namespace {

constexpr const char* in_compare_entries = "mover";

/// The entries by peer, in the order of the inspector.
template <int N> using entries_by_peer = std::map<int, std::vector<motion<N>>>;

template <int N> bool before(const motion<N>& a, const motion<N>& b) {
  const auto key = [](const motion<N>& e) {
    return std::tie(e.to, e.from, e.destination.lower, e.source.lower, e.destination.upper, e.source.upper, e.axes);
  };
  return key(a) < key(b);
}

template <int N> int owner_of(const floor_plan<N>& plan, int number) {
  const int place = plan.place_of(number);
  return place < 0 ? -1 : plan.owners()[static_cast<std::size_t>(place)];
}

template <int N> std::string text_of(const motion<N>& e) {
  std::string axes;
  if (e.axes != same_axes<N>())
    for (const int axis : e.axes) axes += detail::text(axes.empty() ? ", axes " : " ", axis);
  return detail::text("box ", e.from, ' ', detail::text_of(e.source), " → box ", e.to, ' ',
                      detail::text_of(e.destination), axes);
}

template <int N>
void compare(const std::vector<motion<N>>& theirs, const std::vector<motion<N>>& mine, int peer, int rank) {
  const auto [sent, expected] = std::mismatch(theirs.begin(), theirs.end(), mine.begin(), mine.end());
  if (sent == theirs.end() && expected == mine.end()) return;
  throw error(
      error_kind::mismatch, in_compare_entries,
      detail::text("rank ", peer, " sends ", sent == theirs.end() ? "nothing more" : text_of(*sent), " to rank ", rank,
                   ", which expects ", expected == mine.end() ? "nothing more" : text_of(*expected)),
      rank, {peer});
}

}  // namespace

template <int N>
void compare_entries(const communicator& comm, const motion_plan<N>& plan, const floor_plan<N>& source,
                     const floor_plan<N>& destination) {
  entries_by_peer<N> sent, expected;
  for (const auto& e : plan) {
    const int from = owner_of(source, e.from), to = owner_of(destination, e.to);
    if (from == to || e.source.empty()) continue;
    if (from == comm.rank()) sent[to].push_back(e);
    if (to == comm.rank()) expected[from].push_back(e);
  }
  bytes_by_peer outgoing;
  for (auto& [peer, list] : sent) {
    std::sort(list.begin(), list.end(), before<N>);
    outgoing[peer] = to_bytes(list);
  }
  auto announced = exchange_sparsely(comm, std::move(outgoing), in_compare_entries);
  detail::collectively(comm, in_compare_entries, [&] {
    for (auto& [peer, mine] : expected) {
      std::sort(mine.begin(), mine.end(), before<N>);
      compare(from_bytes<motion<N>>(announced[peer]), mine, peer, comm.rank());
    }
  });
}

#define WHERRY_COMPARE_ENTRIES(N) \
  template void compare_entries(const communicator&, const motion_plan<N>&, const floor_plan<N>&, const floor_plan<N>&);
WHERRY_COMPARE_ENTRIES(1)
WHERRY_COMPARE_ENTRIES(2)
WHERRY_COMPARE_ENTRIES(3)
WHERRY_COMPARE_ENTRIES(4)
WHERRY_COMPARE_ENTRIES(5)
WHERRY_COMPARE_ENTRIES(6)
#undef WHERRY_COMPARE_ENTRIES

}  // namespace wherry
