// The facts on which the ranks of a call must agree, in one word. The word is shown with each contribution and travels
// before messages; if two words differ, the error message is made from them.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "wherry/collective/call.hpp"
#include "wherry/core/hash.hpp"

#include "datatypes.hpp"

namespace wherry::collective {

/// The terms of a call without its bytes, which each message or contribution adds. From the lowest bit on: the kind,
/// the operation, the type of number of an element, the bytes, the root, and the history of this communicator.
///
/// Datatypes and counts may differ between ranks if their bytes are the same. The type of number is compared only if
/// both sides know it, and only by reductions.
class call_terms {
 public:
  call_terms() = default;
  call_terms(const call& what, int size);

  /// The word for this many bytes. A number that does not fit, beyond some GiB, is hashed.
  std::uint64_t of(std::int64_t bytes) const {
    const auto half = std::uint64_t{1} << (byte_bits_ - 1);
    auto figure = static_cast<std::uint64_t>(bytes);
    if (figure >= half) figure = half | (wherry::detail::hashed(1, figure) & (half - 1));
    return word_ | figure << first_of_bytes;
  }
  /// The word for lists that are the same on all ranks.
  std::uint64_t of_lists(std::uint64_t hash) const {
    const auto half = std::uint64_t{1} << (byte_bits_ - 1);
    return word_ | (half | (hash & (half - 1))) << first_of_bytes;
  }
  /// The terms of this call after this history (see call_sequence.hpp).
  call_terms after(std::uint64_t history) const {
    auto later = *this;
    later.word_ = (word_ & ~history_mask) | history;
    return later;
  }
  /// The call's contribution to the history of later calls: the same on all ranks.
  std::uint64_t mark() const { return wherry::detail::hashed(1, word_ & ~(number_mask | history_mask)) & history_mask; }

  static bool agree(std::uint64_t a, std::uint64_t b) { return a == b || agree_but_for_numbers(a, b); }
  /// True if the words differ at most in bytes and type of number, which may differ between ranks that wait.
  static bool same_call(std::uint64_t a, std::uint64_t b) {
    constexpr auto kind_and_operation = (std::uint64_t{1} << first_of_number) - 1;
    return ((a ^ b) & (history_mask | kind_and_operation)) == 0;
  }
  static bool same_history(std::uint64_t a, std::uint64_t b) { return ((a ^ b) & history_mask) == 0; }
  /// A text for people: "allreduce of 80 bytes, of float64, by MPI_SUM".
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
/// A name such as "float64".
std::string_view name_of_number(wherry::detail::number_place what);

}  // namespace wherry::collective
