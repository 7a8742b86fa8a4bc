// Turns sections of grids into rows of a schedule.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/motion/array_shape.hpp"
#include "wherry/plan/schedule_builder.hpp"

namespace wherry {

/// The dimensions in the order in which both sides visit them.
template <int N> using visit_order = std::array<std::size_t, static_cast<std::size_t>(N)>;

template <int N> visit_order<N> by_strides(const layout<N>& order) {
  visit_order<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[static_cast<std::size_t>(order.place[d])] = d;
  return result;
}

/// One side of a motion. The shape of a section depends only on its extents and the strides of its grid, and there are
/// few different shapes. Recent shapes are looked up without making blocks. The data of a grid that is needed here fits
/// in a cache line. Functions that run for each of millions of entries are forced inline, because calls took a third of
/// their time.
template <int N> class section_rows {
 public:
  /// @param wire_element the size of arriving elements if they are converted; otherwise 0
  /// @throws error(argument) for a grid with more bytes than an index_t can count.
  section_rows(const detail::array_shape<N>& side, std::int32_t first_field, std::int64_t wire_element,
               const visit_order<N>& usual, plans::schedule_builder& into)
      : side_(side), first_field_(first_field), wire_element_(wire_element), usual_(usual), into_(into) {
    list_grids();
    bits_ = std::clamp(static_cast<int>(std::bit_width(side.grids.size())) + 3, 6, near_bits);
    known_.resize(std::size_t{1} << bits_);
  }

  /// The block of a section that is visited in any order.
  plans::block block_of(int number, const box<N>& section, const visit_order<N>& order) const {
    return block_in(grids_[place_of(number)], section, order);
  }

  /// The row of a section, not empty, that is visited in the usual order.
  plans::block_row row_of(int number, const box<N>& section) {
    asked_section asked;
    return ask(place_of(number), section, asked) ? row_of(asked) : into_.row_of(block_of(number, section, usual_));
  }

  static constexpr std::size_t nowhere = ~std::size_t{0};
  /// The place of a grid in this rank's list if it is where it most likely is; otherwise `nowhere`.
  [[gnu::always_inline]] inline std::size_t likely_place_of(int number) const {
    // The numbers of a rank's boxes are often consecutive.
    const auto guess = static_cast<std::size_t>(std::int64_t{number} - first_number_);
    return guess < grids_.size() && grids_[guess].number == number ? guess : nowhere;
  }
  /// The place of a grid of this rank.
  [[gnu::always_inline]] inline std::size_t place_of(int number) const {
    const auto likely = likely_place_of(number);
    return likely != nowhere ? likely : search(number);
  }
  /// True if the grid at `place` contains the section and the section is not empty.
  [[gnu::always_inline]] inline bool holds(std::size_t place, const box<N>& section) const {
    const auto& whole = grids_[place].whole;
    bool in = true;
    for (std::size_t d = 0; d < N; ++d)
      in = in && section.lower[d] < section.upper[d] && section.lower[d] >= whole.lower[d] &&
           section.upper[d] <= whole.upper[d];
    return in;
  }

  /// True if the table of known shapes fits in the nearest cache, so that prefetching gains nothing.
  bool is_near() const { return bits_ <= near_bits; }

  class asked_section;
  /// Begins the look-up of a section's row. With many sections, `ask` is called for all of them before `row_of`, so
  /// that the memory accesses overlap. False if the section must be looked up by `row_of(number, section)`.
  [[gnu::always_inline]] inline bool ask(std::size_t place, const box<N>& section, asked_section& result) const {
    const auto& grid = grids_[place];
    result.offset = offset_of(grid, section);
    if (!result.set(grid.kind, section)) return false;
    __builtin_prefetch(&known_[slot_of(result.what)]);
    return true;
  }
  [[gnu::always_inline]] inline plans::block_row row_of(const asked_section& asked) {
    const auto& slot = known_[slot_of(asked.what)];
    const auto shape = slot.shape != unknown && asked.is(slot.what) ? slot.shape : new_shape(asked);
    return {shape, kinds_[asked.kind()].field, asked.offset};
  }

  /// The place of another section with the same extents.
  struct asked_place {
    std::int64_t offset;
    std::uint32_t kind;
  };
  [[gnu::always_inline]] inline asked_place ask_like(const asked_section& like, std::size_t place,
                                                     const box<N>& section) const {
    const auto& grid = grids_[place];
    if (grid.kind != like.kind()) __builtin_prefetch(&known_[slot_of(like.of_kind(grid.kind))]);
    return {offset_of(grid, section), grid.kind};
  }
  [[gnu::always_inline]] inline plans::block_row row_of(const asked_section& like, const asked_place& asked) {
    auto section = like;
    section.what = like.of_kind(asked.kind);
    section.offset = asked.offset;
    return row_of(section);
  }
  /// The row of another section, given the row of the first. Most grids have the same strides, so that the shape can be
  /// used again.
  [[gnu::always_inline]] inline plans::block_row row_of(const plans::block_row& row, const asked_section& like,
                                                        const asked_place& asked) {
    return asked.kind == like.kind() ? plans::block_row{row.shape, row.field, asked.offset} : row_of(like, asked);
  }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  static constexpr int near_bits = 10;  // index bits of a table that fits in the nearest cache

  /// Grids of one kind have the same strides and lie in the same piece of memory.
  struct grid_kind {
    point<N> strides{};
    index_t component_stride = 0;
    std::int32_t field = 0;
    bool operator==(const grid_kind&) const = default;
  };
  struct listed_grid {
    std::uint64_t origin;  // offset of the cell with all indices 0, which may lie outside the grid
    std::int32_t number;
    std::uint32_t kind;
    box<N> whole;  // with ghost cells
  };

  /// The kind of a grid, and the extents of a section in 32 bits each.
  using key_words = std::array<std::uint64_t, (N + 2) / 2>;
  struct known_shape {
    key_words what{};
    std::uint32_t shape = unknown;
  };
  std::size_t slot_of(const key_words& words) const {
    std::uint64_t h = 0;
    for (const auto word : words) h = detail::hashed(h, word);
    return h >> (64 - bits_);
  }

  [[gnu::noinline]] std::uint32_t new_shape(const asked_section& asked) {
    const auto shape = into_.row_of(block_in({0, 0, asked.kind(), {}}, asked.extents(), usual_)).shape;
    if (++forgotten_ > known_.size() / 2 && bits_ < most_bits) remember_more();
    known_[slot_of(asked.what)] = {asked.what, shape};
    return shape;
  }

  plans::block block_in(const listed_grid& grid, const box<N>& section, const visit_order<N>& order) const {
    const auto& kind = kinds_[grid.kind];
    std::array<std::int64_t, static_cast<std::size_t>(N + 1)> extents{}, strides{};
    for (std::size_t place = 0; place < N; ++place) {
      extents[place] = section.extent(static_cast<int>(order[place]));
      strides[place] = kind.strides[order[place]];
    }
    extents[N] = side_.components;
    strides[N] = kind.component_stride;
    auto result = plans::strided_block(kind.field, side_.element, offset_of(grid, section), extents, strides);
    result.wire_element = wire_element_;
    return result;
  }

  /// Doubles the table: irregular boxes have many more shapes than regular ones.
  void remember_more() {
    forgotten_ = 0;
    ++bits_;
    const auto old = std::exchange(known_, std::vector<known_shape>(std::size_t{1} << bits_));
    for (const auto& k : old)
      if (k.shape != unknown) known_[slot_of(k.what)] = k;
  }

  void list_grids() {
    std::vector<std::uint32_t> slots(std::bit_ceil(2 * side_.grids.size() + 1), unknown);
    grids_.reserve(side_.grids.size());
    if (!side_.grids.empty()) first_number_ = side_.grids.front().number;
    for (const auto& g : side_.grids) {
      check_reach(g);
      auto origin = static_cast<std::uint64_t>(g.offset);
      for (std::size_t d = 0; d < N; ++d)
        origin -= static_cast<std::uint64_t>(g.whole.lower[d]) * static_cast<std::uint64_t>(g.strides[d]);
      grids_.push_back({origin, g.number, kind_of(g, slots), side_.whole(g.number)});
    }
  }

  /// @param slots a hash table of the kinds, at most half full
  std::uint32_t kind_of(const detail::placed_grid<N>& g, std::vector<std::uint32_t>& slots) {
    const grid_kind kind{g.strides, side_.components > 1 ? g.component_stride : 0, first_field_ + g.field};
    if (!kinds_.empty() && kinds_.back() == kind) return static_cast<std::uint32_t>(kinds_.size() - 1);
    shape_hash words;
    for (const index_t stride : kind.strides) words.add(stride);
    words.add(kind.component_stride).add(kind.field);
    for (auto at = words.value();; ++at) {
      auto& slot = slots[at & (slots.size() - 1)];
      if (slot != unknown && !(kinds_[slot] == kind)) continue;
      if (slot == unknown) {
        slot = static_cast<std::uint32_t>(kinds_.size());
        kinds_.push_back(kind);
      }
      return slot;
    }
  }

  /// Checks that no place inside the grid is out of range.
  static void check_reach(const detail::placed_grid<N>& g) {
    constexpr detail::checked bytes{"array", "place of a cell in bytes"};
    index_t lowest = g.offset, highest = g.offset;
    for (std::size_t d = 0; d < N; ++d) {
      const auto reach = bytes.product(std::max<index_t>(0, g.whole.extent(static_cast<int>(d)) - 1), g.strides[d]);
      auto& end = reach < 0 ? lowest : highest;
      end = bytes.sum(end, reach);
    }
  }

  [[gnu::noinline]] std::size_t search(int number) const {
    return static_cast<std::size_t>(
        std::lower_bound(grids_.begin(), grids_.end(), number,
                         [](const listed_grid& g, int wanted) { return g.number < wanted; }) -
        grids_.begin());
  }

  [[gnu::always_inline]] inline std::int64_t offset_of(const listed_grid& grid, const box<N>& section) const {
    const auto& strides = kinds_[grid.kind].strides;
    auto offset = grid.origin;
    for (std::size_t d = 0; d < N; ++d)
      offset += static_cast<std::uint64_t>(section.lower[d]) * static_cast<std::uint64_t>(strides[d]);
    return static_cast<std::int64_t>(offset);
  }

  const detail::array_shape<N>& side_;
  std::int32_t first_field_;
  std::int64_t wire_element_;
  visit_order<N> usual_;
  plans::schedule_builder& into_;
  std::vector<grid_kind> kinds_;
  std::vector<listed_grid> grids_;  // ascending by number
  std::int64_t first_number_ = 0;
  static constexpr int most_bits = 20;
  std::vector<known_shape> known_;  // recent shapes, indexed by the first bits of the hash
  int bits_;
  std::size_t forgotten_ = 0;  // number of shapes added since the table was last enlarged
};

/// The data of a section that its row needs. It is set in place, because copying data that was just written in pieces
/// is slow.
template <int N> class section_rows<N>::asked_section {
 private:
  friend class section_rows;

  static constexpr int shift_of(std::size_t d) { return d % 2 == 0 ? 32 : 0; }

  /// False if an extent does not fit in 32 bits.
  [[gnu::always_inline]] inline bool set(std::uint32_t kind, const box<N>& section) {
    key_words words{kind};
    std::uint64_t all = 0;
    for (std::size_t d = 0; d < N; ++d) {
      const auto extent = static_cast<std::uint64_t>(section.upper[d]) - static_cast<std::uint64_t>(section.lower[d]);
      all |= extent;
      words[(d + 1) / 2] |= extent << shift_of(d);
    }
    for (std::size_t i = 0; i < words.size(); ++i) what[i] = words[i];
    return all >> 32 == 0;
  }
  std::uint32_t kind() const { return static_cast<std::uint32_t>(what[0]); }
  key_words of_kind(std::uint32_t kind) const {
    auto words = what;
    words[0] = words[0] >> 32 << 32 | kind;
    return words;
  }
  box<N> extents() const {
    box<N> result{};
    for (std::size_t d = 0; d < N; ++d) result.upper[d] = static_cast<std::uint32_t>(what[(d + 1) / 2] >> shift_of(d));
    return result;
  }
  /// Compares without memcmp, because the call costs more than the look-up.
  bool is(const key_words& other) const {
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < other.size(); ++i) different |= what[i] ^ other[i];
    return different == 0;
  }

  key_words what;
  std::int64_t offset;
};

}  // namespace wherry
