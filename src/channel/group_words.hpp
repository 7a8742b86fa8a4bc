// What a member of a group shows the others of its node: for two calls in turn, the number of the call, which one it
// is, and its bytes, up towards the root of a tree and down again. Free of MPI, so that a model can try all orders
// (tests/models/group_words.cpp).
//
// Two are enough: who begins call n + 2 has ended call n + 1, so that everybody had begun that, and had ended call n.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

/// One call's. `Bytes` is as much as fits to it in one cache line.
template <class Words = machine_words, class Bytes = std::array<std::byte, 48>> struct group_line {
  alignas(64) typename Words::template atomic<std::uint64_t> number{0};  // of the call that is here
  typename Words::template plain<std::uint64_t> call = 0;                // which one, or a failure
  Bytes bytes{};

  /// What stands in it, and beside it, is there for all.
  void show(std::uint64_t one, std::uint64_t which) {
    call = which;
    number.store(one, std::memory_order_release);
  }
  bool shows(std::uint64_t one) const { return number.load(std::memory_order_acquire) == one; }
};

static_assert(sizeof(group_line<>) == 64);

/// What a member writes and the others of its node look at.
template <class Words = machine_words, class Bytes = std::array<std::byte, 48>> struct group_words {
  using line = group_line<Words, Bytes>;

  alignas(64) typename Words::template atomic<std::uint64_t> departed{0};
  typename Words::template atomic<std::uint64_t> owner_left{0};
  line up[2], down[2];

  static constexpr std::size_t place_of(std::uint64_t number) { return number & 1; }
  line& up_of(std::uint64_t number) { return up[place_of(number)]; }
  line& down_of(std::uint64_t number) { return down[place_of(number)]; }

  /// A reader's last word.
  void let_go() { departed.fetch_add(1, std::memory_order_release); }
  /// Nobody reads it any more of so many. The owner may give the memory back.
  bool is_let_go(std::uint64_t readers) const { return departed.load(std::memory_order_acquire) == readers; }
  /// The owner's last word.
  void leave() { owner_left.store(1, std::memory_order_release); }
  /// It shows nothing any more: the owner has left before it did. Asked first whether it has left, for it may show it
  /// and leave in between.
  bool will_never_show(const line& one, std::uint64_t number) const {
    return owner_left.load(std::memory_order_acquire) != 0 && !one.shows(number);
  }
};

}  // namespace wherry
