// A member's part of its group's board, in memory that the node shares. Data longer than a cache line goes to the
// memory behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "channel/group_words.hpp"
#include "core/cache_line.hpp"

namespace wherry {

class group_board {
 public:
  using line_of_call = group_words<>::line;
  static constexpr std::size_t line = 64;
  static std::size_t bytes(std::size_t piece) { return sizeof(group_words<>) + 4 * room(piece); }

  group_board() = default;
  /// A board in memory of `bytes(piece)` bytes, aligned to a cache line. Its owner calls `begin`.
  group_board(std::byte* memory, std::size_t piece)
      : part_(std::launder(reinterpret_cast<group_words<>*>(memory))),
        long_(memory + sizeof(group_words<>)),
        room_(room(piece)) {}
  static group_board begin(std::byte* memory, std::size_t piece) {
    new (memory) group_words<>;
    return {memory, piece};
  }

  explicit operator bool() const { return part_ != nullptr; }
  group_words<>& part() const { return *part_; }
  /// The line by which this member shows its data to the others or to its parent.
  line_of_call& up(std::uint64_t number) const { return part_->up_of(number); }
  /// The line by which this member shows the result to its children.
  line_of_call& down(std::uint64_t number) const { return part_->down_of(number); }
  std::byte* up_bytes(std::uint64_t number, std::size_t count) const { return bytes_of(up(number), 0, number, count); }
  std::byte* down_bytes(std::uint64_t number, std::size_t count) const {
    return bytes_of(down(number), 2, number, count);
  }

 private:
  static std::size_t room(std::size_t piece) { return in_lines(piece); }
  std::byte* bytes_of(line_of_call& one, std::size_t first, std::uint64_t number, std::size_t count) const {
    return count <= one.bytes.size() ? one.bytes.data() : long_ + (first + group_words<>::place_of(number)) * room_;
  }

  group_words<>* part_ = nullptr;
  std::byte* long_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace wherry
