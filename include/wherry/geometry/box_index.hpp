/// @file
/// An index over a set of boxes that finds the boxes that touch a given box, or each other. Its cost is linear in the
/// number of boxes and of pairs that touch. All functions are local.
///
///     const wherry::box_index<3> index(boxes);  // `boxes` must stay as it is
///     index.for_each_touching(wherry::grow(boxes[0], 1), [&](int place) { neighbours.push_back(place); });
///
/// The motion builders use such indices, so that users of the patterns need none.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "wherry/geometry/box_bins.hpp"
#include "wherry/geometry/box_calculus.hpp"
#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry {

/// The index refers to the boxes from which it was made; they must outlive it unchanged. There may be fewer than 2^31
/// boxes. The `place` that a search reports is an index into that list. Empty boxes touch nothing. The boxes are sorted
/// into bins by their size, so that a few large boxes do not slow down the search among many small ones.
template <int N> class box_index {
 public:
  explicit box_index(std::span<const box<N>> boxes);

  /// The smallest box that contains all boxes.
  const box<N>& bounds() const { return whole_; }

  /// Calls `visit(place)` once for each box that intersects `near`. All ranks with the same boxes get the same order.
  template <class Visit> void for_each_touching(const box<N>& near, Visit&& visit) const {
    const auto inside = intersection(near, whole_);
    if (inside.empty()) return;
    auto limits = corners::limits();
    for (std::size_t d = 0; d < N; ++d) {
      limits.word[d] = upper_of(inside, d);
      limits.word[N + d] = -lower_of(inside, d);
    }
    if (scale_ == 0) return visit_below(limits, visit);
    visit_below(limits, [&](int place) {
      if (intersects(boxes_[static_cast<std::size_t>(place)], near)) visit(place);
    });
  }

  /// Calls `visit(place, offset)` for each box and each `offset` of whole periods of `space`, zero included, such that
  /// the box shifted by `offset` intersects `near`.
  template <class Visit> void for_each_touching(const box<N>& near, const domain<N>& space, Visit&& visit) const {
    for_each_image(space, whole_, near, [&](const point<N>& offset) {
      auto back = near;
      for (std::size_t d = 0; d < N; ++d) {
        back.lower[d] -= offset[d];
        back.upper[d] -= offset[d];
      }
      for_each_touching(back, [&](int place) { visit(place, offset); });
    });
  }

  /// Calls `visit(i, j, offset)` for all places i and j such that box j, shifted by `offset`, intersects box i grown by
  /// `reach`. Each pair is visited from both sides, and each periodic image by itself; a box is paired with itself only
  /// under a shift. Boxes that are close in space are visited close in time.
  template <class Visit>
  void for_each_touching_pair(const halo_widths<N>& reach, const domain<N>& space, Visit&& visit) const {
    for_each_touching_pair(reach, space, [](int) { return true; }, visit);
  }
  /// Visits the pairs as above, but only for those places i for which `wanted(i)` is true.
  template <class Wanted, class Visit>
  void for_each_touching_pair(const halo_widths<N>& reach, const domain<N>& space, Wanted&& wanted,
                              Visit&& visit) const;

 private:
  using corners = detail::box_corners<N>;
  using integers = std::array<std::int32_t, static_cast<std::size_t>(N)>;

  // Corners are relative to `whole_`, in units of 2^scale_ cells, and rounded outwards. A search in these units finds
  // too many boxes and never too few, so it then compares the boxes themselves.
  std::int32_t lower_of(const box<N>& b, std::size_t d) const {
    return static_cast<std::int32_t>((b.lower[d] - whole_.lower[d]) >> scale_);
  }
  std::int32_t upper_of(const box<N>& b, std::size_t d) const {
    return static_cast<std::int32_t>(((b.upper[d] - whole_.lower[d] - 1) >> scale_) + 1);
  }

  template <class Visit> void visit_below(const corners& limits, Visit&& visit) const {
    for (const auto& bins : levels_) bins.visit_below(limits, visit);
  }

  /// The range of boxes whose reach meets no periodic image of `whole_` other than itself: they touch unshifted boxes
  /// only.
  struct image_free {
    integers lowest, highest;
    bool contains(const corners& c) const {
      bool result = true;
      for (std::size_t d = 0; d < N; ++d) result = result && c.lower(d) >= lowest[d] && c.upper(d) <= highest[d];
      return result;
    }
  };
  image_free without_images(const halo_widths<N>& reach, const domain<N>& space) const;
  corners grown(const corners& c, const halo_widths<N>& reach) const;

  static index_t longest(const box<N>& b) {
    index_t result = 0;
    for (int d = 0; d < N; ++d) result = std::max(result, b.extent(d));
    return result;
  }
  /// Calls `visit(place, box)` for all non-empty boxes whose longest extent is in (above, most].
  template <class Visit> void for_each_between(index_t above, index_t most, Visit&& visit) const {
    for (std::size_t place = 0; place < boxes_.size(); ++place) {
      const auto& b = boxes_[place];
      if (b.empty()) continue;
      if (const auto length = longest(b); length > above && length <= most) visit(place, b);
    }
  }
  detail::box_extents<N> extents_between(index_t above, index_t most) const;
  void add_level(const detail::box_extents<N>& extents, index_t above, index_t most);

  std::span<const box<N>> boxes_;
  box<N> whole_;
  int scale_ = 0;
  integers extent_{};  // extents of `whole_`
  std::vector<detail::box_bins<N>> levels_;
};

template <int N> box_index<N>::box_index(std::span<const box<N>> boxes) : boxes_(boxes) {
  for (const auto& b : boxes) whole_ = bounding_box(whole_, b);
  if (whole_.empty()) return;
  while (longest(whole_) >> scale_ >= index_t{1} << 30) ++scale_;
  for (std::size_t d = 0; d < N; ++d) extent_[d] = upper_of(whole_, d);
  for (index_t above = 0; above < longest(whole_);) {
    index_t most = longest(whole_);
    auto extents = extents_between(above, most);
    if (extents.count == 0) return;
    // A few large boxes among many small ones would make every query search a wide range.
    const auto limit = static_cast<index_t>(4 * extents.sum_of_longest / static_cast<double>(extents.count));
    if (extents.longest > limit) extents = extents_between(above, most = limit);
    add_level(extents, above, most);
    above = most;
  }
}

template <int N> detail::box_extents<N> box_index<N>::extents_between(index_t above, index_t most) const {
  detail::box_extents<N> result;
  for_each_between(above, most, [&](std::size_t, const box<N>& b) {
    ++result.count;
    const auto length = longest(b);
    result.longest = std::max(result.longest, length);
    result.sum_of_longest += static_cast<double>(length);
    for (std::size_t d = 0; d < N; ++d) {
      const auto extent = upper_of(b, d) - lower_of(b, d);
      result.sum[d] += extent;
      result.largest[d] = std::max(result.largest[d], extent);
    }
  });
  return result;
}

template <int N> void box_index<N>::add_level(const detail::box_extents<N>& extents, index_t above, index_t most) {
  levels_.emplace_back(extents, extent_, [&](auto&& visit) {
    for_each_between(above, most, [&](std::size_t place, const box<N>& b) {
      corners c;
      for (std::size_t d = 0; d < N; ++d) {
        c.word[d] = lower_of(b, d);
        c.word[N + d] = -upper_of(b, d);
      }
      c.word[corners::place_at] = static_cast<std::int32_t>(place);
      visit(c);
    });
  });
}

template <int N>
template <class Wanted, class Visit>
void box_index<N>::for_each_touching_pair(const halo_widths<N>& reach, const domain<N>& space, Wanted&& wanted,
                                          Visit&& visit) const {
  const auto inside = without_images(reach, space);
  for (const auto& bins : levels_)
    for (const auto& c : bins.entries()) {
      const auto i = static_cast<int>(c.place());
      if (!wanted(i)) continue;
      if (scale_ == 0 && inside.contains(c)) {
        visit_below(grown(c, reach), [&](int j) {
          if (i != j) visit(i, j, point<N>{});
        });
        continue;
      }
      const auto near = grow<N>(boxes_[static_cast<std::size_t>(i)], reach.minus, reach.plus);
      for_each_touching(near, space, [&](int j, const point<N>& offset) {
        if (i != j || offset != point<N>{}) visit(i, j, offset);
      });
    }
}

template <int N>
typename box_index<N>::image_free box_index<N>::without_images(const halo_widths<N>& reach,
                                                               const domain<N>& space) const {
  const auto narrow = [](index_t x) {
    return static_cast<std::int32_t>(std::clamp<index_t>(x, -(index_t{1} << 30), index_t{1} << 30));
  };
  image_free result;
  for (std::size_t d = 0; d < N; ++d) {
    const index_t period = space.cells.upper[d] - space.cells.lower[d];
    const bool open = !space.periodic[d] || period <= 0;
    result.lowest[d] = open ? 0 : narrow(extent_[d] - period + reach.minus[d]);
    result.highest[d] = open ? extent_[d] : narrow(period - reach.plus[d]);
  }
  return result;
}

/// The limits for boxes that touch the box `c` after it was grown by `reach`, cut to `whole_`.
template <int N>
typename box_index<N>::corners box_index<N>::grown(const corners& c, const halo_widths<N>& reach) const {
  auto limits = corners::limits();
  for (std::size_t d = 0; d < N; ++d) {
    limits.word[d] = static_cast<std::int32_t>(std::min<index_t>(c.upper(d) + reach.plus[d], extent_[d]));
    limits.word[N + d] = static_cast<std::int32_t>(std::min<index_t>(reach.minus[d] - c.lower(d), 0));
  }
  return limits;
}

}  // namespace wherry
