/// @file
/// A block: which bytes of which field, in which order. The atom of every plan. No MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry {

/// Most dimensions of a block: six of an array, and its components.
inline constexpr int max_block_rank = 7;

namespace detail {

/// Store what arrives, rather than combine it: the value of `block::operation`, `message::operation` and
/// `copy_list::operation`.
inline constexpr int store = -1;

}  // namespace detail

/// One loop of a strided block: `extent` iterations, `stride` bytes apart.
struct block_loop {
  std::int64_t extent = 1;
  std::int64_t stride = 0;
  bool operator==(const block_loop&) const = default;
};

/// Some bytes of one field, visited in one order; that order is the order on the wire, on which both sides agree.
struct block {
  enum class form : std::uint8_t {
    strided,  ///< nested loops over runs of bytes
    indexed,  ///< elements named by a list of `schedule::indices`, or a slice of one
    called    ///< what a user's gather and scatter functions say (paper 1: the layer L1)
  };

  form kind = form::strided;
  std::int8_t loops = 0;  ///< strided: how many of `loop` are used
  /// Of a message whose blocks arrive in different ways: what happens to this one (see `reduction::by_block`).
  std::int16_t operation = detail::store;
  std::int32_t field = 0;  ///< place in the table of field pointers
  std::int64_t offset =
      0;                 ///< bytes from the field's pointer, for indexed ones to place 0; called: the region's number
  std::int64_t run = 0;  ///< strided: contiguous bytes; indexed: bytes of one element; called: bytes of the region
  std::int64_t element = 1;  ///< bytes of one element: what a reduction counts in
  /// Bytes of one element on the wire, where something else arrives than is kept: then the operation on arrival is a
  /// conversion (see `make_conversion`). 0: the same. Only where data arrives: the wire has what the sender has.
  std::int64_t wire_element = 0;
  // indexed
  std::int64_t count = 1;                         ///< number of elements
  std::int64_t list = 0;                          ///< which list
  std::int64_t skipped = 0;                       ///< places of the list before the first one
  std::int64_t unit = 1;                          ///< bytes that a place counts in
  std::array<block_loop, max_block_rank> loop{};  ///< innermost first

  /// Bytes in the field. Like all figures of a block: @throws error(argument) where an int64 cannot hold it.
  std::int64_t bytes() const;
  /// Bytes on the wire.
  std::int64_t wire_bytes() const { return bytes_on_wire(bytes()); }
  /// The same for a part of the block.
  std::int64_t bytes_on_wire(std::int64_t part) const;
  bool converts() const { return wire_element != 0 && wire_element != element; }
  /// One piece of memory without gaps?
  bool contiguous() const { return kind == form::strided && loops == 0; }
  /// Lowest and one past the highest byte touched, relative to the field's pointer (strided blocks only).
  std::int64_t lowest() const;
  std::int64_t highest() const;

  bool operator==(const block&) const = default;
};

/// A strided block of `extents.size()` dimensions (at most 7), the first one fastest on the wire; strides in bytes.
/// Normalised: unit extents dropped and mergeable loops merged, so that one contiguous piece is recognised as such.
block strided_block(std::int32_t field, std::int64_t element, std::int64_t offset,
                    std::span<const std::int64_t> extents, std::span<const std::int64_t> strides);

/// `count` elements, at the first places of a list of `schedule::indices`, each `unit` bytes from the one before it.
block indexed_block(std::int32_t field, std::int64_t element, std::int64_t list, std::int64_t count,
                    std::int64_t unit = 1);

/// `bytes` that the accessor of `field` gathers and scatters for `region`.
block called_block(std::int32_t field, std::int64_t region, std::int64_t bytes);

/// Calls `visit(offset, bytes)` for each contiguous run of a strided block, in wire order.
template <class Visit> void for_each_run(const block& b, Visit&& visit) {
  std::array<std::int64_t, max_block_rank> at{};
  std::int64_t offset = b.offset;
  for (;;) {
    visit(offset, b.run);
    std::size_t d = 0;
    const auto used = static_cast<std::size_t>(b.loops);
    for (; d < used; ++d) {
      offset += b.loop[d].stride;
      if (++at[d] < b.loop[d].extent) break;
      offset -= b.loop[d].stride * b.loop[d].extent;
      at[d] = 0;
    }
    if (d == used) return;
  }
}

}  // namespace wherry
