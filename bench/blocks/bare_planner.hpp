/// @file
/// The smallest possible plan of a ghost-cell fill: boxes in sorted bins, and a tag of 64 bytes for each pair that
/// touches. It has no checks, messages or shapes and cannot be carried. Whole plans are compared with it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "wherry/geometry/domain.hpp"

#include "blocks/box_sets.hpp"

namespace bench {

/// Cells that go from one box to another, and their place in each.
struct alignas(64) bare_tag {
  std::int32_t from, to, owner;
  std::array<std::int32_t, 3> lower, upper, shift;
};
static_assert(sizeof(bare_tag) == 64);

/// Bins as wide as the largest box, filled by a counting sort. The plan fills one layer of cells around every box,
/// periodically.
class bare_planner {
 public:
  bare_planner(const box_set& boxes, const std::vector<int>& owners, const box3& space)
      : boxes_(boxes), owners_(owners), space_(space) {
    for (const auto& b : boxes)
      for (std::size_t d = 0; d < 3; ++d) width_[d] = std::max(width_[d], b.upper[d] - b.lower[d]);
    std::size_t bins = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      count_[d] = (space.upper[d] - space.lower[d] + width_[d] - 1) / width_[d];
      bins *= static_cast<std::size_t>(count_[d]);
    }
    begin_.assign(bins + 1, 0);
    for (const auto& b : boxes) ++begin_[bin_of(b.lower) + 1];
    for (std::size_t i = 0; i < bins; ++i) begin_[i + 1] += begin_[i];
    auto next = begin_;
    places_.resize(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) places_[next[bin_of(boxes[i].lower)]++] = static_cast<int>(i);
  }

  /// The cells that `rank` receives, also from itself, and the cells that it sends to others.
  std::vector<bare_tag> plan(int rank) const {
    std::vector<bare_tag> tags;
    tags.reserve(32 * places_.size());
    for (const int i : places_)
      if (owners_[static_cast<std::size_t>(i)] == rank) add_all(i, rank, tags);
    return tags;
  }

 private:
  std::size_t bin_of(const point3& p) const {
    std::size_t bin = 0;
    for (std::size_t d = 3; d-- > 0;)
      bin = bin * static_cast<std::size_t>(count_[d]) + static_cast<std::size_t>((p[d] - space_.lower[d]) / width_[d]);
    return bin;
  }

  void add_all(int i, int rank, std::vector<bare_tag>& tags) const {
    const auto around = grow(boxes_[static_cast<std::size_t>(i)], 1);
    for_each_image(wherry::domain<3>::torus(space_), space_, around, [&](const point3& shift) {
      auto near = around;
      for (std::size_t d = 0; d < 3; ++d) near.lower[d] -= shift[d], near.upper[d] -= shift[d];
      point3 first, last;
      for (std::size_t d = 0; d < 3; ++d) {
        first[d] = std::max<index_t>(0, (near.lower[d] - space_.lower[d]) / width_[d] - 1);
        last[d] = std::min(count_[d] - 1, (near.upper[d] - 1 - space_.lower[d]) / width_[d]);
      }
      for (auto z = first[2]; z <= last[2]; ++z)
        for (auto y = first[1]; y <= last[1]; ++y) {
          const auto row = static_cast<std::size_t>((z * count_[1] + y) * count_[0]);
          const auto end = begin_[row + static_cast<std::size_t>(last[0]) + 1];
          for (auto at = begin_[row + static_cast<std::size_t>(first[0])]; at < end; ++at)
            add(i, places_[at], near, shift, rank, tags);
        }
    });
  }

  void add(int i, int j, const box3& near, const point3& shift, int rank, std::vector<bare_tag>& tags) const {
    const auto& other = boxes_[static_cast<std::size_t>(j)];
    bare_tag tag;
    bool touch = i != j || shift != point3{};
    for (std::size_t d = 0; d < 3; ++d) {
      tag.lower[d] = static_cast<std::int32_t>(std::max(near.lower[d], other.lower[d]));
      tag.upper[d] = static_cast<std::int32_t>(std::min(near.upper[d], other.upper[d]));
      tag.shift[d] = static_cast<std::int32_t>(shift[d]);
      touch = touch && tag.lower[d] < tag.upper[d];
    }
    if (!touch) return;
    tag.from = j;
    tag.to = i;
    tag.owner = owners_[static_cast<std::size_t>(j)];
    tags.push_back(tag);
    if (tag.owner == rank) return;
    // In the other direction, the cells leave this rank.
    const auto& mine = boxes_[static_cast<std::size_t>(i)];
    for (std::size_t d = 0; d < 3; ++d) {
      tag.lower[d] = static_cast<std::int32_t>(std::max(mine.lower[d], other.lower[d] + shift[d] - 1));
      tag.upper[d] = static_cast<std::int32_t>(std::min(mine.upper[d], other.upper[d] + shift[d] + 1));
    }
    std::swap(tag.from, tag.to);
    tags.push_back(tag);
  }

  const box_set& boxes_;
  const std::vector<int>& owners_;
  box3 space_;
  point3 width_{1, 1, 1}, count_{};
  std::vector<std::size_t> begin_;  // of each bin in `places_`
  std::vector<int> places_;
};

}  // namespace bench
