// Numbers that several algorithms need: ranks around a ring, powers of two, the binomial tree.
#pragma once

#include <bit>
#include <cstdint>

#include "stage.hpp"

namespace wherry::collective {

/// Maps `at`, in -size..2·size-1, to a place on the ring.
constexpr int around(std::int64_t at, int size) {
  return static_cast<int>(at < 0 ? at + size : at >= size ? at - size : at);
}

constexpr int log2_down(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }
constexpr int log2_up(int n) { return n <= 1 ? 0 : std::bit_width(static_cast<unsigned>(n - 1)); }
constexpr std::int64_t power_of_two(int exponent) { return std::int64_t{1} << exponent; }

/// The rank counted from the root, and back.
constexpr int from_root(const place& at) { return around(std::int64_t{at.rank} - at.root, at.size); }
constexpr int to_rank(int from_root, const place& at) { return around(std::int64_t{from_root} + at.root, at.size); }

constexpr block_range all_of(int blocks, buffer where = buffer::work) { return {0, blocks, where}; }

/// A node of the binomial tree: the parent of v is v without its lowest set bit, and below v stand the following
/// numbers, as many as the value of that bit says.
struct tree_node {
  int index, size;

  constexpr int parent() const { return index & (index - 1); }
  /// The size of the subtree, this node included.
  constexpr int below() const {
    if (index == 0) return size;
    const int lowest = index & -index;
    return lowest < size - index ? lowest : size - index;
  }
  /// The number of children. The j-th child is index + 2^j; the smallest subtree comes first.
  constexpr int children() const { return log2_up(below()); }
  constexpr tree_node child(int j) const { return {static_cast<int>(index + power_of_two(j)), size}; }
};

}  // namespace wherry::collective
