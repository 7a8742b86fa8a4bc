/// @file
/// Which boxes of a set touch a given one: a grid of bins filled by a counting sort.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "wherry/geometry/box_calculus.hpp"

namespace wherry {

/// Refers to the boxes it was made from, which must outlive it unchanged. Building is linear; a query costs as many
/// steps as there are boxes nearby, provided that boxes are of similar sizes.
template <int N> class box_index {
 public:
  explicit box_index(std::span<const box<N>> boxes);

  /// Calls `visit(place)` for each box that intersects `near`, each once. The order is the same on every rank that has
  /// the same boxes.
  template <class Visit> void for_each_touching(const box<N>& near, Visit&& visit) const {
    if (near.empty() || whole_.empty()) return;
    point<N> first{}, last{};
    for (std::size_t d = 0; d < N; ++d) {
      const index_t low = near.lower[d] - largest_[d] + 1 - whole_.lower[d];
      const index_t high = near.upper[d] - 1 - whole_.lower[d];
      if (high < 0) return;
      first[d] = std::max<index_t>(0, floor_divide(low, width_[d]));
      last[d] = std::min(bins_[d] - 1, high / width_[d]);
      if (first[d] > last[d]) return;
    }
    // Bins that follow one another along dimension 0 are one piece of the list.
    box<N> rows{first, last};
    rows.upper[0] = first[0];
    for (std::size_t d = 0; d < N; ++d) ++rows.upper[d];
    for_each_point(rows, [&](const point<N>& p) {
      std::size_t bin = 0;
      for (std::size_t d = N; d-- > 0;) bin = bin * static_cast<std::size_t>(bins_[d]) + static_cast<std::size_t>(p[d]);
      const auto end = begin_[bin + static_cast<std::size_t>(last[0] - first[0]) + 1];
      for (auto k = begin_[bin]; k < end; ++k) {
        const auto place = places_[k];
        if (intersects(boxes_[place], near)) visit(static_cast<int>(place));
      }
    });
  }

 private:
  std::size_t bin_of(const box<N>& b) const {
    std::size_t bin = 0;
    for (std::size_t d = N; d-- > 0;)
      bin = bin * static_cast<std::size_t>(bins_[d]) +
            static_cast<std::size_t>((b.lower[d] - whole_.lower[d]) / width_[d]);
    return bin;
  }

  std::span<const box<N>> boxes_;
  box<N> whole_;
  point<N> largest_{}, width_{}, bins_{};
  std::vector<std::uint32_t> begin_, places_;
};

template <int N> box_index<N>::box_index(std::span<const box<N>> boxes) : boxes_(boxes) {
  std::size_t filled_boxes = 0;
  for (const auto& b : boxes) {
    if (b.empty()) continue;
    ++filled_boxes;
    whole_ = bounding_box(whole_, b);
    for (std::size_t d = 0; d < N; ++d) largest_[d] = std::max(largest_[d], b.extent(static_cast<int>(d)));
  }
  if (filled_boxes == 0) return;
  width_ = largest_;
  const auto bins = [&] {
    double total = 1;
    for (std::size_t d = 0; d < N; ++d) {
      bins_[d] = (whole_.extent(static_cast<int>(d)) + width_[d] - 1) / width_[d];
      total *= static_cast<double>(bins_[d]);
    }
    return total;
  };
  // Far apart boxes must not make a grid of empty bins.
  while (bins() > 2.0 * static_cast<double>(filled_boxes) + 64)
    width_[static_cast<std::size_t>(std::max_element(bins_.begin(), bins_.end()) - bins_.begin())] *= 2;
  begin_.assign(static_cast<std::size_t>(bins()) + 1, 0);
  for (const auto& b : boxes)
    if (!b.empty()) ++begin_[bin_of(b) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  places_.resize(filled_boxes);
  auto next = begin_;
  for (std::size_t place = 0; place < boxes.size(); ++place)
    if (!boxes[place].empty()) places_[next[bin_of(boxes[place])]++] = static_cast<std::uint32_t>(place);
}

}  // namespace wherry
