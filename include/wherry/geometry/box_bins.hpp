/// @file
/// A grid of bins over boxes of similar sizes, filled by a counting sort. `box_index` is made of it; programs do not
/// need it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace wherry::detail {

/// A box as integers, arranged so that the box touches another one exactly if each integer is below the corresponding
/// integer of the other one's *limits*: the lower corner below the other's upper corner, and the negated upper corner
/// below the other's negated lower corner. The place of the box is stored in the padding, for which every limit is the
/// largest integer.
template <int N> struct box_corners {
  static constexpr std::size_t n = N, place_at = 2 * n, words = (place_at + 1 + 3) / 4 * 4;
  std::array<std::int32_t, words> word{};

  static box_corners limits() {
    box_corners result;
    result.word.fill(std::numeric_limits<std::int32_t>::max());
    return result;
  }
  std::int32_t lower(std::size_t d) const { return word[d]; }
  std::int32_t upper(std::size_t d) const { return -word[n + d]; }
  std::int32_t place() const { return word[place_at]; }

  /// There is no branch for each integer, because the outcome is nearly random.
  bool below(const box_corners& limit) const {
    std::int32_t signs = -1;
    for (std::size_t k = 0; k < words; ++k) signs &= word[k] - limit.word[k];
    return signs < 0;
  }
};

/// Sums and maxima of the extents of some boxes, from which the size of the bins is chosen.
template <int N> struct box_extents {
  std::size_t count = 0;
  std::array<double, N> sum{};
  std::array<std::int32_t, N> largest{};
  double sum_of_longest = 0;
  std::int64_t longest = 0;
};

template <int N> class box_bins {
 public:
  using corners = box_corners<N>;

  /// @param whole the extents of the box around all boxes
  /// @param each `each(visit)` calls `visit(corners)` for every box. It is called twice and must keep the order
  template <class Each>
  box_bins(const box_extents<N>& extents, const std::array<std::int32_t, N>& whole, Each&& each) : extents_(extents) {
    choose_bins(whole);
    each([&](const corners& c) { ++begin_[bin_of(c)]; });
    std::uint32_t end = 0;
    for (auto& b : begin_) b = end += b;
    entries_.resize(extents.count);
    each([&](const corners& c) { entries_[--begin_[bin_of(c)]] = c; });
  }

  /// All boxes, ordered by bin.
  const std::vector<corners>& entries() const { return entries_; }

  /// Calls `visit(place)` for each box below `limits`, which must lie within the whole.
  template <class Visit> void visit_below(const corners& limits, Visit& visit) const {
    bin_range range;
    for (std::size_t d = 0; d < N; ++d) {
      // The lower corners of boxes that touch: the first is that of the largest box that just reaches in, the last lies
      // just before the end.
      const auto begin = -limits.word[N + d], end = limits.word[d];
      range.first[d] = bin_along(d, std::max(0, begin + 1 - extents_.largest[d]));
      range.last[d] = bin_along(d, end - 1);
    }
    visit_rows<N - 1>(range, 0, limits, visit);
  }

 private:
  struct bin_range {
    std::size_t first[N], last[N];
  };

  /// The function need only be monotone: a corner between two others is then in a bin between theirs.
  std::size_t bin_along(std::size_t d, std::int32_t x) const {
    return static_cast<std::size_t>(static_cast<std::int32_t>((x + 0.5) * bins_per_unit_[d]));
  }
  std::size_t bin_of(const corners& c) const {
    std::size_t bin = 0;
    for (std::size_t d = 0; d < N; ++d) bin += bin_along(d, c.lower(d)) * step_[d];
    return bin;
  }

  /// Bins that follow one another along dimension 0 are contiguous in `entries_`, so one loop visits them all.
  template <int Dimension, class Visit>
  void visit_rows(const bin_range& range, std::size_t bin, const corners& limits, Visit& visit) const {
    if constexpr (Dimension > 0) {
      for (auto b = range.first[Dimension]; b <= range.last[Dimension]; ++b)
        visit_rows<Dimension - 1>(range, bin + b * step_[Dimension], limits, visit);
    } else {
      const auto* entry = entries_.data() + begin_[bin + range.first[0]];
      const auto* const end = entries_.data() + begin_[bin + range.last[0] + 1];
      for (; entry != end; ++entry)
        if (entry->below(limits)) visit(static_cast<int>(entry->place()));
    }
  }

  /// Chooses the bins so that boxes of equal size have about one bin each.
  void choose_bins(const std::array<std::int32_t, N>& whole) {
    std::array<double, N> width{}, bins{};
    for (std::size_t d = 0; d < N; ++d) width[d] = extents_.sum[d] / static_cast<double>(extents_.count);
    const auto total = [&] {
      double product = 1;
      for (std::size_t d = 0; d < N; ++d) product *= bins[d] = std::floor(whole[d] / width[d]) + 1;
      return product;
    };
    // Boxes that are far apart must not lead to a large grid of empty bins.
    while (total() > 4.0 * static_cast<double>(extents_.count) + 64)
      width[static_cast<std::size_t>(std::max_element(bins.begin(), bins.end()) - bins.begin())] *= 2;
    std::size_t step = 1;
    for (std::size_t d = 0; d < N; ++d) {
      bins_per_unit_[d] = 1 / width[d];
      step_[d] = step;
      step *= static_cast<std::size_t>(bins[d]);
    }
    begin_.assign(step + 1, 0);
  }

  box_extents<N> extents_;
  std::array<double, N> bins_per_unit_{};
  std::array<std::size_t, N> step_{};
  std::vector<std::uint32_t> begin_;  // the first entry of each bin in `entries_`, and one more for the end
  std::vector<corners> entries_;
};

}  // namespace wherry::detail
