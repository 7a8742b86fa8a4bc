// Sections of grids as rows of a schedule.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/motion/array_shape.hpp"
#include "wherry/plan/schedule_builder.hpp"

namespace wherry {

/// Dimensions in the order in which both sides visit them.
template <int N> using visit_order = std::array<std::size_t, static_cast<std::size_t>(N)>;

template <int N> visit_order<N> by_strides(const layout<N>& order) {
  visit_order<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[static_cast<std::size_t>(order.place[d])] = d;
  return result;
}

/// One side of a motion. The shape of a section follows from its extents and the strides of its grid, of which there
/// are few: those met lately are looked up, without making blocks of them.
template <int N> class section_rows {
 public:
  /// @param wire_element of what arrives, where it is converted; else 0
  section_rows(const array_shape<N>& side, std::int32_t first_field, std::int64_t wire_element,
               const visit_order<N>& usual, schedule_builder& into)
      : side_(side), first_field_(first_field), wire_element_(wire_element), usual_(usual), into_(into) {
    const int bits = std::clamp(static_cast<int>(std::bit_width(side.grids.size())) + 3, 6, 14);
    known_.resize(std::size_t{1} << bits);
    shift_ = 64 - bits;
  }

  /// Visited in any order.
  block block_of(int number, const box<N>& section, const visit_order<N>& order) const {
    const auto& grid = *side_.find(number);
    return make_block(grid, section, order, offset_of(grid, section));
  }

  /// Visited in the usual order; not empty.
  block_row row_of(int number, const box<N>& section) {
    const auto& grid = *side_.find(number);
    const auto offset = offset_of(grid, section);
    const key wanted(grid, section, side_.components);
    if (!wanted.fits) return into_.row_of(make_block(grid, section, usual_, offset));
    auto& slot = known_[wanted.hash() >> shift_];
    if (slot.shape == unknown || !(slot.what == wanted))
      slot = {wanted, into_.row_of(make_block(grid, section, usual_, offset)).shape};
    return {slot.shape, first_field_ + grid.field, offset};
  }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};

  /// Extents and the strides that matter.
  struct key {
    std::array<std::uint64_t, static_cast<std::size_t>(N + 1)> words{};
    bool fits = true;

    key() = default;
    key(const placed_grid<N>& grid, const box<N>& section, int components) {
      for (std::size_t d = 0; d < N; ++d) {
        const index_t extent = section.upper[d] - section.lower[d], stride = extent > 1 ? grid.strides[d] : 0;
        fits = fits && extent == static_cast<std::int32_t>(extent) && stride == static_cast<std::int32_t>(stride);
        words[d] = static_cast<std::uint64_t>(extent) << 32 | static_cast<std::uint32_t>(stride);
      }
      words[N] = components > 1 ? static_cast<std::uint64_t>(grid.component_stride) : 0;
    }
    bool operator==(const key& other) const {
      std::uint64_t different = 0;
      for (std::size_t i = 0; i < words.size(); ++i) different |= words[i] ^ other.words[i];
      return different == 0;
    }
    std::uint64_t hash() const {
      std::uint64_t h = 0;
      for (const auto word : words) h = (h ^ word ^ h >> 29) * 0x9E3779B97F4A7C15u;
      return h;
    }
  };
  struct known_shape {
    key what{};
    std::uint32_t shape = unknown;
  };

  static std::int64_t offset_of(const placed_grid<N>& grid, const box<N>& section) {
    constexpr checked bytes{"mover", "place of a cell in bytes"};
    std::int64_t offset = grid.offset;
    for (std::size_t d = 0; d < N; ++d)
      offset = bytes.sum(offset, bytes.product(section.lower[d] - grid.whole.lower[d], grid.strides[d]));
    return offset;
  }

  block make_block(const placed_grid<N>& grid, const box<N>& section, const visit_order<N>& order,
                   std::int64_t offset) const {
    std::array<std::int64_t, static_cast<std::size_t>(N + 1)> extents{}, strides{};
    for (std::size_t place = 0; place < N; ++place) {
      extents[place] = section.extent(static_cast<int>(order[place]));
      strides[place] = grid.strides[order[place]];
    }
    extents[N] = side_.components;
    strides[N] = grid.component_stride;
    auto result = strided_block(first_field_ + grid.field, side_.element, offset, extents, strides);
    result.wire_element = wire_element_;
    return result;
  }

  const array_shape<N>& side_;
  std::int32_t first_field_;
  std::int64_t wire_element_;
  visit_order<N> usual_;
  schedule_builder& into_;
  std::vector<known_shape> known_;  // by the hash's first bits
  int shift_;
};

}  // namespace wherry
