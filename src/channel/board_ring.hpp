// Finds the place for a rank's next showing in its own piece of the board: one behind the other, around, as soon as the
// showings that lay there are needed no more. It deals with numbers and offsets and touches no memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/cache_line.hpp"

namespace wherry {

/// A ring for `Depth` showings, each of which may take some bytes. The ids of showings grow.
template <std::size_t Depth> class board_ring {
 public:
  explicit board_ring(std::int64_t capacity = 0) : capacity_(capacity) {}

  std::int64_t capacity() const { return capacity_; }
  /// Moves to other memory. Earlier showings still count until they are needed no more, but do not lie there.
  void move_to(std::int64_t capacity) {
    for (auto& one : shown_) one.begin = 0;
    head_ = tail_ = 0;
    capacity_ = capacity;
  }

  /// Frees the bytes of all showings up to this id.
  void free_up_to(std::uint64_t id) {
    free_ = id;
    auto oldest = head_;
    for (const auto& one : shown_)
      if (one.id > id) oldest = std::min(oldest, one.begin);
    tail_ = oldest;
    if (tail_ == head_) tail_ = head_ = 0;  // reuse memory that is still in the cache
  }

  /// True if the last showing at this place, of `Depth`, is needed no more.
  bool is_free(std::size_t place) const { return shown_[place].id <= free_; }
  /// The id of the last showing.
  std::uint64_t newest() const { return newest_; }

  /// The place for this number of bytes, at most all; nothing: they must wait.
  std::optional<std::int64_t> room(std::int64_t bytes) const {
    const auto begin = start_of(bytes);
    return begin + bytes - tail_ <= capacity_ ? std::optional(begin % capacity_) : std::nullopt;
  }
  /// Notes that the bytes are taken and are shown at this place.
  void take(std::size_t place, std::uint64_t id, std::int64_t bytes) {
    const auto begin = bytes > 0 ? start_of(bytes) : head_;
    shown_[place] = {newest_ = id, begin};
    head_ = begin + in_lines(bytes);
  }

 private:
  /// The position at which the bytes fit in one piece.
  std::int64_t start_of(std::int64_t bytes) const {
    const auto to_the_end = capacity_ - head_ % capacity_;
    return bytes <= to_the_end ? head_ : head_ + to_the_end;
  }

  struct showing {
    std::uint64_t id = 0;
    std::int64_t begin = 0;
  };
  std::array<showing, Depth> shown_{};
  std::int64_t capacity_, head_ = 0, tail_ = 0;  // positions only grow; modulo the capacity they are places
  std::uint64_t free_ = 0, newest_ = 0;
};

}  // namespace wherry
