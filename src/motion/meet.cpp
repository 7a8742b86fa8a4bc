#include "meet.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <type_traits>

#include "wherry/geometry/box_calculus.hpp"

#include "core/collective.hpp"
#include "core/sparse_exchange.hpp"

namespace wherry {
namespace {

constexpr const char* in_meet = "floor plan";

template <int N> using boxes_by_rank = std::map<int, std::vector<known_box<N>>>;

/// The bounds, the number and the sums of the extents of the boxes of all ranks. Collective.
template <int N> box_census<N> add_up(const communicator& comm, const box_census<N>& mine) {
  std::vector<std::int64_t> low(2 * N);
  for (std::size_t d = 0; d < N; ++d) {
    low[d] = mine.count > 0 ? mine.bounds.lower[d] : INT64_MAX;
    low[N + d] = mine.count > 0 ? -mine.bounds.upper[d] : INT64_MAX;
  }
  const auto lowest = patient::allreduce(comm, in_meet, low, patient::least);
  std::vector<double> part(N + 1);
  std::copy(mine.extents.begin(), mine.extents.end(), part.begin());
  part[N] = mine.count;
  const auto sum = patient::allreduce(comm, in_meet, part, patient::sum);
  box_census<N> all;
  all.count = sum[N];
  if (all.count == 0) return all;
  for (std::size_t d = 0; d < N; ++d) {
    all.bounds.lower[d] = lowest[d];
    all.bounds.upper[d] = -lowest[N + d];
    all.extents[d] = sum[d];
  }
  return all;
}

template <int N> boxes_by_rank<N> deliver(const communicator& comm, const boxes_by_rank<N>& mine) {
  static_assert(std::is_trivially_copyable_v<known_box<N>>);
  bytes_by_peer bytes;
  for (const auto& [peer, list] : mine) bytes[peer] = to_bytes(list);
  boxes_by_rank<N> received;
  for (const auto& [peer, list] : exchange_sparsely(comm, std::move(bytes), in_meet))
    received[peer] = from_bytes<known_box<N>>(list);
  return received;
}

}  // namespace

template <int N>
std::vector<known_box<N>> meet(const communicator& comm, const std::vector<known_box<N>>& mine, bool two_sides,
                               const halo_widths<N>& reach, const domain<N>& space) {
  const auto grown = [&](const known_box<N>& b) { return grow<N>(b.cells, reach.minus, reach.plus); };
  box_census<N> census;
  for (const auto& b : mine) census.add(grown(b));
  const meeting_places<N> places(add_up(comm, census), space, comm.size());
  boxes_by_rank<N> announced;
  for (const auto& b : mine)
    for (const int home : places.homes_of(grown(b))) announced[home].push_back(b);
  std::vector<known_box<N>> present, learned;
  for (const auto& [peer, list] : deliver(comm, announced)) present.insert(present.end(), list.begin(), list.end());
  const auto introduced = introduce<N>(present, two_sides, reach, space);
  for (const auto& [peer, list] : deliver(comm, introduced)) learned.insert(learned.end(), list.begin(), list.end());
  return learned;
}

#define WHERRY_MEET(N)                                                                                 \
  template std::vector<known_box<N>> meet(const communicator&, const std::vector<known_box<N>>&, bool, \
                                          const halo_widths<N>&, const domain<N>&);
WHERRY_MEET(1)
WHERRY_MEET(2)
WHERRY_MEET(3)
WHERRY_MEET(4)
WHERRY_MEET(5)
WHERRY_MEET(6)
#undef WHERRY_MEET

}  // namespace wherry
