/// @file
/// Shapes of blocks, each kept once: all of a block but which field it is of and where it begins. No MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "wherry/plan/block.hpp"

namespace wherry {

/// Shapes numbered from 0 in the order in which they came. A shape of small numbers, as nearly all are, takes 12 bytes
/// and 8 for each loop: irregular boxes have almost as many shapes as blocks.
class shape_table {
 public:
  /// The number of a block's shape, which is added where it is new.
  std::uint32_t number_of(const block& b);
  /// A block of that shape, of field 0 and at offset 0.
  block operator[](std::uint32_t shape) const;

  std::size_t size() const { return first_.size(); }
  /// Gives back what only `number_of` needs.
  void settle();

  /// A strided shape of small numbers as it is stored: {form, run, element, extent, stride, extent, stride, …}; null
  /// for all others. Shapes are added no more while it is used.
  const std::int32_t* strided_words(std::uint32_t shape) const {
    const auto* words = words_.data() + first_[shape];
    return (words[0] & ~loops_mask) == 0 ? words : nullptr;
  }
  /// The same for those of which that is known, as long as the table stays as it is.
  struct known_strided {
    const std::int32_t* words;
    const std::uint32_t* first;
    const std::int32_t* operator[](std::uint32_t shape) const { return words + first[shape]; }
  };
  known_strided known_strided_words() const { return {words_.data(), first_.data()}; }
  static int loops_in(const std::int32_t* strided) { return strided[0] & loops_mask; }

  bool operator==(const shape_table& other) const;

 private:
  // The first word: the loops, and what differs from a strided block of small numbers.
  static constexpr std::int32_t loops_mask = 0xff, wide = 0x100, has_wire_element = 0x200, has_count = 0x400,
                                has_operation = 0x800, has_any = has_wire_element | has_count | has_operation;
  static constexpr int kind_shift = 16;
  struct record;

  std::size_t length_of(std::uint32_t shape) const;
  std::uint32_t& slot_of(const record& wanted);
  void grow();

  std::vector<std::int32_t> words_;   // the records, one after the other
  std::vector<std::uint32_t> first_;  // of each record
  std::vector<std::uint32_t> slots_;  // numbers by hash
};

}  // namespace wherry
