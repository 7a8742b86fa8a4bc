// What a member of a group shows the others of its node: for two calls in turn, the number of the call, which one it
// is, and its bytes; short ones in the same cache line.
//
// Two are enough: who begins call n + 2 has ended call n + 1, so that everybody had begun that, and had ended call n.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace wherry {

struct alignas(64) board_line {
  std::atomic<std::uint64_t> number{0};  // of the call that is here
  std::uint64_t call = 0;                // which one, or a group_failure
  std::byte bytes[48]{};
};

class group_board {
 public:
  static constexpr std::size_t line = 64;
  static std::size_t bytes(std::size_t piece) { return sizeof(head) + 4 * room(piece); }

  group_board() = default;
  /// In memory of so many bytes, aligned to a line, that somebody has begun or will begin.
  group_board(std::byte* memory, std::size_t piece)
      : head_(std::launder(reinterpret_cast<head*>(memory))), long_(memory + sizeof(head)), room_(room(piece)) {}
  static group_board begin(std::byte* memory, std::size_t piece) {
    new (memory) head;
    return {memory, piece};
  }

  explicit operator bool() const { return head_ != nullptr; }
  /// Of this member, for the others or on the way up.
  board_line& up(std::uint64_t number) const { return head_->up[number & 1]; }
  /// For those below it.
  board_line& down(std::uint64_t number) const { return head_->down[number & 1]; }
  std::byte* up_bytes(std::uint64_t number, std::size_t count) const {
    return count <= sizeof(board_line::bytes) ? up(number).bytes : long_ + (number & 1) * room_;
  }
  std::byte* down_bytes(std::uint64_t number, std::size_t count) const {
    return count <= sizeof(board_line::bytes) ? down(number).bytes : long_ + (2 + (number & 1)) * room_;
  }
  /// How many of the node have let go of it; its owner has.
  std::atomic<std::uint64_t>& departed() const { return head_->departed; }
  std::atomic<bool>& owner_left() const { return head_->owner_left; }

 private:
  struct head {
    alignas(64) std::atomic<std::uint64_t> departed{0};
    std::atomic<bool> owner_left{false};
    board_line up[2], down[2];
  };
  static std::size_t room(std::size_t piece) { return (piece + line - 1) / line * line; }

  head* head_ = nullptr;
  std::byte* long_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace wherry
