#include "rendezvous.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "wherry/core/hash.hpp"
#include "wherry/geometry/box_index.hpp"

namespace wherry {
namespace {

template <class List> void sort_unique(List& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

template <int N> void box_census<N>::add(const box<N>& cells) {
  if (cells.empty()) return;
  bounds = bounding_box(bounds, cells);
  ++count;
  for (std::size_t d = 0; d < N; ++d) extents[d] += static_cast<double>(cells.upper[d] - cells.lower[d]);
}

template <int N>
meeting_places<N>::meeting_places(const box_census<N>& all, const domain<N>& space, int ranks) : ranks_(ranks) {
  if (all.count == 0) return;
  const double boxes_along = std::max(1.0, std::round(std::pow(all.count / ranks, 1.0 / N)));
  point<N> extent{};
  for (std::size_t d = 0; d < N; ++d) {
    const index_t length = space.cells.upper[d] - space.cells.lower[d];
    if (space.periodic[d] && length > 0) period_[d] = length;
    base_[d] = period_[d] > 0 ? space.cells.lower[d] : all.bounds.lower[d];
    extent[d] = period_[d] > 0 ? period_[d] : all.bounds.upper[d] - all.bounds.lower[d];
    width_[d] = std::max<index_t>(1, std::llround(boxes_along * all.extents[d] / all.count));
  }
  const auto total = [&] {
    double product = 1;
    for (std::size_t d = 0; d < N; ++d) {
      bins_[d] = (extent[d] - 1) / width_[d] + 1;
      product *= static_cast<double>(bins_[d]);
    }
    return product;
  };
  // Limits the number of bins, so that a large box among small ones far apart is not announced at thousands of empty
  // bins.
  while (total() > 8.0 * ranks + 64)
    width_[static_cast<std::size_t>(std::max_element(bins_.begin(), bins_.end()) - bins_.begin())] *= 2;
}

template <int N>
std::vector<std::int64_t> meeting_places<N>::bins_along(std::size_t d, index_t lower, index_t upper) const {
  std::vector<std::int64_t> result;
  const auto append = [&](index_t from, index_t to) {  // cells relative to the base
    for (auto bin = from / width_[d]; bin <= (to - 1) / width_[d]; ++bin) result.push_back(bin);
  };
  const auto period = period_[d];
  const index_t from = lower - base_[d], to = upper - base_[d];
  if (period == 0) {
    append(std::max<index_t>(0, from), std::min(to, bins_[d] * width_[d]));
  } else if (to - from >= period) {
    append(0, period);
  } else {
    const index_t first = from - floor_divide(from, period) * period, last = first + to - from;
    append(first, std::min(last, period));
    if (last > period) append(0, last - period);
  }
  return result;
}

template <int N> std::vector<int> meeting_places<N>::homes_of(const box<N>& cells) const {
  std::vector<int> homes;
  if (cells.empty()) return homes;
  std::array<std::vector<std::int64_t>, static_cast<std::size_t>(N)> along;
  point<N> counts{};
  for (std::size_t d = 0; d < N; ++d) {
    along[d] = bins_along(d, cells.lower[d], cells.upper[d]);
    counts[d] = static_cast<index_t>(along[d].size());
  }
  for_each_point(box_of_extents<N>(counts), [&](const point<N>& p) {
    std::uint64_t bin = 0;
    for (std::size_t d = N; d-- > 0;)
      bin = bin * static_cast<std::uint64_t>(bins_[d]) +
            static_cast<std::uint64_t>(along[d][static_cast<std::size_t>(p[d])]);
    homes.push_back(static_cast<int>(shape_hash().add(bin).value() % static_cast<std::uint64_t>(ranks_)));
  });
  sort_unique(homes);
  return homes;
}

template <int N>
std::map<int, std::vector<known_box<N>>> introduce(std::span<const known_box<N>> present, bool two_sides,
                                                   const halo_widths<N>& reach, const domain<N>& space) {
  std::vector<box<N>> found, seeking;
  std::vector<std::size_t> found_at, seeking_at;
  for (std::size_t i = 0; i < present.size(); ++i) {
    const bool seeks = present[i].side == 1;
    (seeks ? seeking : found).push_back(present[i].cells);
    (seeks ? seeking_at : found_at).push_back(i);
  }
  using meeting = std::tuple<int, std::size_t>;  // an owner, and the index of a box that it must know
  std::vector<meeting> meetings;
  const auto meet = [&](std::size_t a, std::size_t b) {
    if (present[a].owner == present[b].owner) return;
    meetings.emplace_back(present[a].owner, b);
    meetings.emplace_back(present[b].owner, a);
  };
  const box_index<N> index(found);
  if (two_sides) {
    for (std::size_t i = 0; i < seeking.size(); ++i)
      index.for_each_touching(grow<N>(seeking[i], reach.minus, reach.plus), space, [&](int j, const point<N>&) {
        meet(seeking_at[i], found_at[static_cast<std::size_t>(j)]);
      });
  } else {
    index.for_each_touching_pair(reach, space, [&](int i, int j, const point<N>&) {
      meet(found_at[static_cast<std::size_t>(i)], found_at[static_cast<std::size_t>(j)]);
    });
  }
  sort_unique(meetings);
  std::map<int, std::vector<known_box<N>>> result;
  for (const auto& [owner, place] : meetings) result[owner].push_back(present[place]);
  return result;
}

#define WHERRY_RENDEZVOUS(N)                                                                       \
  template struct box_census<N>;                                                                   \
  template class meeting_places<N>;                                                                \
  template std::map<int, std::vector<known_box<N>>> introduce(std::span<const known_box<N>>, bool, \
                                                              const halo_widths<N>&, const domain<N>&);
WHERRY_RENDEZVOUS(1)
WHERRY_RENDEZVOUS(2)
WHERRY_RENDEZVOUS(3)
WHERRY_RENDEZVOUS(4)
WHERRY_RENDEZVOUS(5)
WHERRY_RENDEZVOUS(6)
#undef WHERRY_RENDEZVOUS

}  // namespace wherry
