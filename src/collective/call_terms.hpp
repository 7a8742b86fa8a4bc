// What the ranks of a call must agree on, as one word: it stands beside what is shown, and before messages, and can be
// read for the error where two words differ.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "wherry/collective/call.hpp"
#include "wherry/core/hash.hpp"

#include "datatypes.hpp"

namespace wherry::collective {

/// All of a call but its bytes, which each message or contribution has of its own: from the lowest bit the kind, the
/// operation, the numbers of an element, bytes, the root, and what came before on this communicator.
///
/// Datatypes and counts may differ between ranks where their bytes are the same. Which numbers an element has is
/// compared where both sides know it, and by reductions alone.
class call_terms {
 public:
  call_terms() = default;
  call_terms(const call& what, int size);

  /// Of so many bytes. What does not fit, beyond some GiB, is hashed.
  std::uint64_t of(std::int64_t bytes) const {
    const auto half = std::uint64_t{1} << (byte_bits_ - 1);
    auto figure = static_cast<std::uint64_t>(bytes);
    if (figure >= half) figure = half | (wherry::detail::hashed(1, figure) & (half - 1));
    return word_ | figure << first_of_bytes;
  }
  /// Of lists that all ranks have alike.
  std::uint64_t of_lists(std::uint64_t hash) const {
    const auto half = std::uint64_t{1} << (byte_bits_ - 1);
    return word_ | (half | (hash & (half - 1))) << first_of_bytes;
  }
  /// The same call after what came before it (see call_sequence.hpp).
  call_terms after(std::uint64_t history) const {
    auto later = *this;
    later.word_ = (word_ & ~history_mask) | history;
    return later;
  }
  /// What it adds to the history of those that come later: the same on all ranks.
  std::uint64_t mark() const { return wherry::detail::hashed(1, word_ & ~(number_mask | history_mask)) & history_mask; }

  static bool agree(std::uint64_t a, std::uint64_t b) { return a == b || agree_but_for_numbers(a, b); }
  /// But for bytes and numbers, which two ranks may not have alike where they wait.
  static bool same_call(std::uint64_t a, std::uint64_t b) {
    constexpr auto kind_and_operation = (std::uint64_t{1} << first_of_number) - 1;
    return ((a ^ b) & (history_mask | kind_and_operation)) == 0;
  }
  static bool same_history(std::uint64_t a, std::uint64_t b) { return ((a ^ b) & history_mask) == 0; }
  /// "allreduce of 80 bytes, of 64-bit floats, by MPI_SUM", for people.
  static std::string words_of(std::uint64_t said, int size);

  static constexpr std::uint64_t history_mask = std::uint64_t{0xffff} << 48;

 private:
  static constexpr int first_of_operation = 5, first_of_number = 9, first_of_bytes = 13, first_of_history = 48;
  static constexpr std::uint64_t number_mask = std::uint64_t{15} << first_of_number;
  static bool agree_but_for_numbers(std::uint64_t a, std::uint64_t b) {
    return ((a ^ b) & ~number_mask) == 0 && ((a & number_mask) == 0 || (b & number_mask) == 0);
  }
  static int bits_of_root(int size) { return size > 1 ? std::bit_width(static_cast<unsigned>(size) - 1) : 0; }

  std::uint64_t word_ = 0;
  int byte_bits_ = first_of_history - first_of_bytes;
};

bool has_root(kind what);
/// "64-bit floats"
std::string_view name_of(number what);

}  // namespace wherry::collective
