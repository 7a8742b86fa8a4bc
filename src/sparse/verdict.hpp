// The record by which all ranks learn why a call cannot be carried out: the refusal of the lowest rank that refuses, or
// else the terms of two ranks that differ. It has a fixed size and is combined rank by rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry::sparse {

class verdict {
 public:
  /// @param refusal why this rank cannot take part; null: it can
  /// @param word in which all ranks must agree
  /// @param terms what the word stands for: "NAME: VALUE" lines
  static std::vector<std::byte> of(int rank, const error* refusal, std::uint64_t word, std::string_view terms);
  /// Combines two verdicts, as `consensus` calls it.
  static void combine(std::span<std::byte> into, std::span<const std::byte> from);
  /// The error that this rank throws.
  static error to_error(std::span<const std::byte> bytes, std::string_view where, int rank);
};

}  // namespace wherry::sparse
