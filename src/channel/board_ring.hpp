// Where in its own piece of the board a rank puts what it shows next: one after the other, around, as soon as those
// that lay there are needed no more. Knows numbers and offsets, no memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace wherry {

/// Of `Depth` showings, each of which may take some bytes. Showings have ids that grow.
template <std::size_t Depth> class board_ring {
 public:
  explicit board_ring(std::int64_t capacity = 0) : capacity_(capacity) {}

  std::int64_t capacity() const { return capacity_; }
  /// From now on memory elsewhere is taken. What was shown counts until it is needed no more, but is not there.
  void move_to(std::int64_t capacity) {
    for (auto& one : shown_) one.begin = 0;
    head_ = tail_ = 0;
    capacity_ = capacity;
  }

  /// What showings up to this id took is free.
  void free_up_to(std::uint64_t id) {
    free_ = id;
    auto oldest = head_;
    for (const auto& one : shown_)
      if (one.id > id) oldest = std::min(oldest, one.begin);
    tail_ = oldest;
    if (tail_ == head_) tail_ = head_ = 0;  // memory that is still in the cache
  }

  /// Whether what was shown at this place last, of `Depth`, is needed no more.
  bool is_free(std::size_t place) const { return shown_[place].id <= free_; }
  /// The last id.
  std::uint64_t newest() const { return newest_; }

  /// Where so many bytes, at most all, would go; nothing: they have to wait.
  std::optional<std::int64_t> room(std::int64_t bytes) const {
    const auto begin = start_of(bytes);
    return begin + bytes - tail_ <= capacity_ ? std::optional(begin % capacity_) : std::nullopt;
  }
  /// They are there, and shown at this place.
  void take(std::size_t place, std::uint64_t id, std::int64_t bytes) {
    const auto begin = bytes > 0 ? start_of(bytes) : head_;
    shown_[place] = {newest_ = id, begin};
    head_ = begin + (bytes + line - 1) / line * line;
  }

 private:
  static constexpr std::int64_t line = 64;
  /// In one piece.
  std::int64_t start_of(std::int64_t bytes) const {
    const auto to_the_end = capacity_ - head_ % capacity_;
    return bytes <= to_the_end ? head_ : head_ + to_the_end;
  }

  struct showing {
    std::uint64_t id = 0;
    std::int64_t begin = 0;
  };
  std::array<showing, Depth> shown_{};
  std::int64_t capacity_, head_ = 0, tail_ = 0;  // positions grow; they are places modulo the capacity
  std::uint64_t free_ = 0, newest_ = 0;
};

}  // namespace wherry
