/// @file
/// A block says which bytes of which field move, and in which order. Messages and copies are made of blocks. No MPI.
///
///     // The lower face in dimension 0 of an array of nx × ny doubles in Fortran's order.
///     const std::array<std::int64_t, 2> extents{1, ny}, strides{sizeof(double), sizeof(double) * nx};
///     const wherry::plans::block face = wherry::plans::strided_block(field, sizeof(double), 0, extents, strides);
///
/// Patterns make the blocks of fields and arrays themselves. Make blocks only to write a pattern of your own, and pass
/// them to a `schedule_builder`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry::plans {

/// The largest number of loops of a block: six for an array, and one for the components of an element.
inline constexpr int max_block_rank = 7;

}  // namespace wherry::plans

namespace wherry::detail {

/// The value of `block::operation`, `message::operation` and `copy_list::operation` that means that arriving data is
/// stored and not combined.
inline constexpr int store = -1;

}  // namespace wherry::detail

namespace wherry::plans {

/// One loop of a strided block: `extent` iterations that are `stride` bytes apart.
struct block_loop {
  std::int64_t extent = 1;
  std::int64_t stride = 0;
  bool operator==(const block_loop&) const = default;
};

/// Some bytes of one field in one order. That order is the order on the wire, and both sides must agree on it.
struct block {
  enum class form : std::uint8_t {
    strided,  ///< nested loops over contiguous runs of bytes
    indexed,  ///< elements whose places a list of `schedule::indices`, or a slice of one, gives
    called    ///< bytes that a user's gather and scatter functions choose (GCL: the layer L1)
  };

  form kind = form::strided;
  std::int8_t loops = 0;  ///< strided: the number of entries of `loop` that are used
  /// The operation on arrival of this block, in messages whose blocks arrive in different ways (see
  /// `typed_reduction::by_block`).
  std::int16_t operation = detail::store;
  std::int32_t field = 0;    ///< place in the table of field pointers
  std::int64_t offset = 0;   ///< bytes from the field's pointer; indexed: to place 0; called: region number
  std::int64_t run = 0;      ///< bytes of: strided: a contiguous run; indexed: an element; called: the region
  std::int64_t element = 1;  ///< bytes of one element, the unit of a reduction
  /// Bytes of one element on the wire, if it differs from the element in the field; 0: the same. The operation on
  /// arrival is then a conversion (see `make_conversion`). Only receiving blocks have it, because the wire carries the
  /// sender's elements.
  std::int64_t wire_element = 0;
  // For indexed blocks:
  std::int64_t count = 1;                         ///< number of elements
  std::int64_t list = 0;                          ///< the list in `schedule::indices`
  std::int64_t skipped = 0;                       ///< places of the list before the first element
  std::int64_t unit = 1;                          ///< bytes between two consecutive places
  std::array<block_loop, max_block_rank> loop{};  ///< the innermost loop comes first

  /// Bytes in the field. @throws error(argument), as all functions here that return a number, if an int64 cannot hold
  /// it
  std::int64_t bytes() const;
  /// Bytes on the wire.
  std::int64_t wire_bytes() const { return bytes_on_wire(bytes()); }
  /// Bytes on the wire of `part` bytes of the field.
  std::int64_t bytes_on_wire(std::int64_t part) const;
  /// True if the elements on the wire have another size than those in the field.
  bool converts() const { return wire_element != 0 && wire_element != element; }
  /// True if the block is one piece of memory without gaps.
  bool contiguous() const { return kind == form::strided && loops == 0; }
  /// The first byte that the block touches, and one past the last one, relative to the field's pointer. For strided
  /// blocks only.
  std::int64_t lowest() const;
  std::int64_t highest() const;

  bool operator==(const block&) const = default;
};

/// A strided block. The first of the extents varies fastest on the wire. Extents count elements of `element` bytes; the
/// offset and the strides are in bytes. Extents of 1 are dropped and loops are merged where possible, so that a
/// contiguous piece is recognised as such.
/// @throws error(argument) for more than 7 dimensions, for unequal numbers of extents and strides, or for a negative
///   extent
block strided_block(std::int32_t field, std::int64_t element, std::int64_t offset,
                    std::span<const std::int64_t> extents, std::span<const std::int64_t> strides);

/// A block of `count` elements at the first `count` places of a list of `schedule::indices`. Consecutive places are
/// `unit` bytes apart.
block indexed_block(std::int32_t field, std::int64_t element, std::int64_t list, std::int64_t count,
                    std::int64_t unit = 1);

/// A block of `bytes` bytes that the accessor of `field` gathers and scatters for `region`.
block called_block(std::int32_t field, std::int64_t region, std::int64_t bytes);

/// Calls `visit(offset, bytes)` for each contiguous run of a strided block, in the order of the wire.
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

}  // namespace wherry::plans
