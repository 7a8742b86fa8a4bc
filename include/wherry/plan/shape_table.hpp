/// @file
/// A table of the shapes of blocks, in which each shape is stored once. The shape is everything of a block except its
/// field and its offset. No MPI. It is a part of `schedule`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/plan/block.hpp"

namespace wherry::plans {

/// The shapes, numbered from 0 in the order in which they were added. A shape whose numbers fit 32 bits, as nearly all
/// do, takes 12 bytes and 8 more for each loop: irregular boxes have almost as many shapes as blocks.
class shape_table {
 public:
  /// The number of a block's shape, which is added if it is new. @throws error(argument) if the table is full
  std::uint32_t number_of(const block& b);
  /// A block of the shape with number `shape`, with field 0 and offset 0.
  block operator[](std::uint32_t shape) const;

  std::size_t size() const { return first_.size(); }
  /// Frees the memory that only `number_of` needs.
  void settle();

  /// A strided shape as it is stored: {form, run, element, extent, stride, extent, stride, …}. Null for other shapes,
  /// and for those with a number that does not fit 32 bits. The pointer is valid until the next shape is added.
  const std::int32_t* strided_words(std::uint32_t shape) const {
    const auto* words = words_.data() + first_[shape];
    return (words[0] & ~loops_mask) == 0 ? words : nullptr;
  }
  /// Returns the words of a shape for which `strided_words` is known not to be null. They are valid until the next
  /// shape is added.
  struct known_strided {
    const std::int32_t* words;
    const std::uint32_t* first;
    const std::int32_t* operator[](std::uint32_t shape) const { return words + first[shape]; }
  };
  known_strided known_strided_words() const { return {words_.data(), first_.data()}; }
  static int loops_in(const std::int32_t* strided) { return strided[0] & loops_mask; }

  bool operator==(const shape_table& other) const;

 private:
  // The first word of a record: the number of loops, and flags for whatever differs from a strided block of small
  // numbers.
  static constexpr std::int32_t loops_mask = 0xff, wide = 0x100, has_wire_element = 0x200, has_count = 0x400,
                                has_operation = 0x800, has_any = has_wire_element | has_count | has_operation;
  static constexpr int kind_shift = 16;
  struct record;

  std::size_t length_of(std::uint32_t shape) const;
  std::uint32_t& slot_of(const record& wanted);
  void grow();

  std::vector<std::int32_t> words_;   // the records, one after the other
  std::vector<std::uint32_t> first_;  // the first word of each record
  std::vector<std::uint32_t> slots_;  // numbers by hash
};

}  // namespace wherry::plans
