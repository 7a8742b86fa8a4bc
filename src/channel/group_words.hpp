// The words that a member of a group shows to the others of its node: for two calls in turn the number of the call, its
// kind, and its bytes, on the way up to the root of a tree and down again. Free of MPI, so that a model can try all
// orders (tests/models/group_words.cpp).
//
// Two lines are enough: a member that begins call n + 2 has ended call n + 1, so every member has begun call n + 1, and
// has ended call n.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

/// The line of one call. `Bytes` is the space that is left in its cache line.
template <class Words = machine_words, class Bytes = std::array<std::byte, 48>> struct group_line {
  alignas(64) typename Words::template atomic<std::uint64_t> number{0};  // of the call in this line
  typename Words::template plain<std::uint64_t> call = 0;                // its kind, or a failure
  Bytes bytes{};

  /// Publishes the bytes in the line, and those beside it.
  void show(std::uint64_t one, std::uint64_t which) {
    call = which;
    number.store(one, std::memory_order_release);
  }
  bool shows(std::uint64_t one) const { return number.load(std::memory_order_acquire) == one; }
};

static_assert(sizeof(group_line<>) == 64);

/// The words that one member writes and the others of its node read.
template <class Words = machine_words, class Bytes = std::array<std::byte, 48>> struct group_words {
  using line = group_line<Words, Bytes>;

  alignas(64) typename Words::template atomic<std::uint64_t> departed{0};
  typename Words::template atomic<std::uint64_t> owner_left{0};
  line up[2], down[2];

  static constexpr std::size_t place_of(std::uint64_t number) { return number & 1; }
  line& up_of(std::uint64_t number) { return up[place_of(number)]; }
  line& down_of(std::uint64_t number) { return down[place_of(number)]; }

  /// The last act of a reader.
  void let_go() { departed.fetch_add(1, std::memory_order_release); }
  /// True if that many readers have let go, so that the owner may give the memory back.
  bool is_let_go(std::uint64_t readers) const { return departed.load(std::memory_order_acquire) == readers; }
  /// The last act of the owner.
  void leave() { owner_left.store(1, std::memory_order_release); }
  /// True if the owner has left without showing this. `owner_left` is read first, because the owner may show it and
  /// then leave in between.
  bool will_never_show(const line& one, std::uint64_t number) const {
    return owner_left.load(std::memory_order_acquire) != 0 && !one.shows(number);
  }
};

}  // namespace wherry
