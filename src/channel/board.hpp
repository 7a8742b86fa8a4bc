// How ranks that share memory show each other what they have, turn after turn: some records a rank, which it alone
// writes and all may read, each with a word that says which showing stands there; and a word that says up to which
// showing the rank needs those of the others no more. Free of MPI and of what is shown, so that a model can try all
// orders (tests/models/board.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

/// Number `number`, from 0, of those that a rank has in a turn. Ids grow from turn to turn, and are never 0.
struct showing {
  std::uint64_t turn = 0, number = 0;

  static constexpr int bits_of_number = 24;
  /// Of a turn's showings the last one that there can be.
  static constexpr std::uint64_t last = (std::uint64_t{1} << bits_of_number) - 2;

  constexpr std::uint64_t id() const { return (turn << bits_of_number) + number + 1; }
  constexpr std::size_t place(std::size_t depth) const { return (turn + number) % depth; }
};

template <class Shown, class Words = machine_words> struct board_record {
  alignas(64) typename Words::template atomic<std::uint64_t> id{0};
  Shown shown{};

  bool shows(std::uint64_t one) const { return id.load(std::memory_order_acquire) == one; }
};

/// What one rank writes and the others look at.
template <class Shown, std::size_t Depth, class Words = machine_words> struct board_part {
  static constexpr std::size_t depth = Depth;  ///< so far may who only shows be ahead of those who read

  std::array<board_record<Shown, Words>, Depth> records{};
  alignas(64) typename Words::template atomic<std::uint64_t> finished{0};

  board_record<Shown, Words>& record_of(const showing& one) { return records[one.place(Depth)]; }
  const board_record<Shown, Words>& record_of(const showing& one) const { return records[one.place(Depth)]; }

  /// What stands in the record is there for all.
  void show(const showing& one) { record_of(one).id.store(one.id(), std::memory_order_release); }
  /// For who gives up.
  void withdraw(const showing& one) { record_of(one).id.store(0, std::memory_order_release); }
  /// Nothing is needed any more that others show, up to this one.
  void finish(const showing& one) { finished.store(one.id(), std::memory_order_release); }
  /// As an id.
  std::uint64_t finished_up_to() const { return finished.load(std::memory_order_acquire); }
};

}  // namespace wherry
