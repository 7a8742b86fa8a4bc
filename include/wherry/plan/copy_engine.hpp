/// @file
/// The copy engine: schedules compiled to loops. The kernel of each block is chosen once, from its shape: contiguous,
/// long runs, short runs of a fixed size, index lists, transpositions between layouts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/plan/functions.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The table of field pointers of one start.
using field_table = std::span<void* const>;

/// Two strided blocks walked together: a run, and loops with a stride in bytes on each side, innermost first.
struct joint_loop {
  std::int64_t extent = 1, from = 0, to = 0;
};
struct joint_shape {
  static constexpr int most_loops = 8;
  std::int64_t run = 0;
  std::int64_t tile = 0;  ///< walk the two innermost loops in tiles of this many iterations; 0: row by row
  int loops = 0;
  joint_loop loop[most_loops];
};
using copy_kernel = void (*)(const joint_shape& shape, const std::byte* from, std::byte* to);

/// A compiled strided copy, but for the two places.
struct joint_copy {
  copy_kernel kernel = nullptr;
  joint_shape shape;
  void operator()(const std::byte* from, std::byte* to) const { kernel(shape, from, to); }
};

/// Packs and unpacks one message between the fields and its bytes on the wire. Keeps pointers into the schedule's
/// indices and into the functions, which must outlive it. The calls allocate nothing.
class message_packing {
 public:
  message_packing() = default;
  /// @param piece long strided blocks are cut into pieces of about so many bytes; 0: not cut. The wire stays the same.
  message_packing(const std::vector<block>& blocks, int operation, const schedule& plan, const functions& code,
                  std::int64_t piece = 0);

  void pack(field_table fields, std::byte* wire) const;
  /// The same for a wire that another core has just read and will read again: by way of `bounce`, which stays in this
  /// core's cache, and from there in bulk, which replaces whole cache lines without fetching them back first.
  void pack_in_bulk(field_table fields, std::span<std::byte> bounce, std::byte* wire) const;
  /// Stores, or combines with the message's operation, in the order of the blocks.
  void unpack(field_table fields, const std::byte* wire) const;

  std::size_t bytes() const { return bytes_; }

 private:
  friend class direct_copies;
  class compiler;

  // Messages may have thousands of small blocks of a few shapes: what is walked through is small.
  static constexpr std::uint32_t no_shape = ~std::uint32_t{0};
  struct step {
    std::uint32_t shape = no_shape;  // place in `shapes_`
    std::int32_t field = 0;
    std::int64_t offset = 0;  // from the field's pointer; without a shape the place in `others_`
    std::size_t wire = 0;
  };
  struct strided_shape {
    joint_copy gather, scatter;  // field to wire, wire to field
    std::size_t bytes = 0;
    block what;  // at offset 0
  };
  std::size_t bytes_of(const step& s) const;
  std::byte* field_of(const step& s, field_table fields) const {
    return static_cast<std::byte*>(fields[static_cast<std::size_t>(s.field)]);
  }
  void pack_step(const step& s, field_table fields, std::byte* to) const;
  void unpack_step(const step& s, field_table fields, const std::byte* from) const;
  void combine_step(const step& s, field_table fields, const std::byte* from) const;

  std::vector<step> steps_;  // in the order of the blocks
  std::vector<strided_shape> shapes_;
  std::vector<block> others_;  // indexed and called blocks
  const std::int64_t* indices_ = nullptr;
  const functions* code_ = nullptr;
  int operation_ = store;
  std::size_t bytes_ = 0;
};

/// Copies blocks straight from one set of fields to another, or to the same: to oneself, or from a neighbour's memory.
/// The two sides may have different layouts and even different shapes of equal size.
class direct_copies {
 public:
  direct_copies() = default;
  /// `from_plan` and `to_plan` hold the indices of the two sides.
  direct_copies(std::span<const local_copy> copies, const schedule& from_plan, const schedule& to_plan,
                const functions& code);

  void run(field_table from, field_table to) const;
  bool empty() const { return steps_.empty(); }

 private:
  static constexpr std::uint32_t buffered = ~std::uint32_t{0};
  struct step {
    std::uint32_t shape = buffered;  // place in `shapes_`
    std::int32_t from_field = 0, to_field = 0;
    std::int64_t from = 0, to = 0;  // bytes from the fields' pointers; buffered: place in `detours_`, step there
  };
  /// The copies that go by way of a buffer, by what happens on arrival.
  struct detour {
    message_packing gather, scatter;  // a step for each of them, in the same order
  };
  void run_buffered(const step& s, field_table from, field_table to) const;

  std::vector<step> steps_;  // in the order of the copies
  std::vector<joint_copy> shapes_;
  std::vector<detour> detours_;
  mutable std::vector<std::byte> buffer_;  // holds any one of them
};

/// The kernel that `message_packing` chooses for a block, as a word for `explain`.
std::string_view kernel_name(const block& b);

}  // namespace wherry
