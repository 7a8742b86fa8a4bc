// A board on which ranks that share memory show each other data, turn after turn. Each rank has some records that it
// alone writes and that all may read; the word of a record says which showing it holds. Another word says up to which
// showing the rank needs those of the others no more. Free of MPI and of the type of the data, so that a model can try
// all orders (tests/models/board.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

/// One showing: number `number`, from 0, of those that a rank has in a turn. Ids grow from turn to turn and are never
/// 0.
struct showing {
  std::uint64_t turn = 0, number = 0;

  static constexpr int bits_of_number = 24;
  /// The largest number of a showing in a turn.
  static constexpr std::uint64_t last = (std::uint64_t{1} << bits_of_number) - 2;

  constexpr std::uint64_t id() const { return (turn << bits_of_number) + number + 1; }
  constexpr std::size_t place(std::size_t depth) const { return (turn + number) % depth; }
};

template <class Shown, class Words = machine_words> struct board_record {
  alignas(64) typename Words::template atomic<std::uint64_t> id{0};
  Shown shown{};

  bool shows(std::uint64_t one) const { return id.load(std::memory_order_acquire) == one; }
};

/// The part of the board that one rank writes and the others read.
template <class Shown, std::size_t Depth, class Words = machine_words> struct board_part {
  static constexpr std::size_t depth = Depth;  ///< how far a rank that only shows may be ahead of the ranks that read

  std::array<board_record<Shown, Words>, Depth> records{};
  alignas(64) typename Words::template atomic<std::uint64_t> finished{0};

  board_record<Shown, Words>& record_of(const showing& one) { return records[one.place(Depth)]; }
  const board_record<Shown, Words>& record_of(const showing& one) const { return records[one.place(Depth)]; }

  /// Publishes the data in the record.
  void show(const showing& one) { record_of(one).id.store(one.id(), std::memory_order_release); }
  /// Withdraws a showing, by a rank that gives up.
  void withdraw(const showing& one) { record_of(one).id.store(0, std::memory_order_release); }
  /// Says that this rank needs no showing of the others up to this one any more.
  void finish(const showing& one) { finished.store(one.id(), std::memory_order_release); }
  /// The id up to which the rank has said so.
  std::uint64_t finished_up_to() const { return finished.load(std::memory_order_acquire); }
};

}  // namespace wherry
