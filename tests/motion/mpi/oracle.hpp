// The oracle of the blocks tests: knows every cell's value from its array, box, place and component, and from them what
// every byte of every array must be after a motion. Plain loops; nothing of wherry's geometry or plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "motion/mpi/case.hpp"

namespace wherry_test {

// One grid of this rank as its user sees it: where each cell is. Strides in bytes.
struct grid_memory {
  int number = 0;
  section whole;
  std::byte* first = nullptr;  // of whole.lower, component 0
  place strides{};
  long component_stride = 0;

  std::byte* at(const place& p, int component) const;
};

// What cells hold: the value of a random number, and how two are combined.
struct cell_values {
  std::function<void(std::uint64_t random, std::byte* cell)> put;
  std::function<void(std::byte* into, const std::byte* from)> combine;  // null: what arrives is stored
};
cell_values any_bytes(int element);

// All memory of one array on this rank.
struct array_memory {
  int id = 0;  // arrays of different ids hold different values
  int element = 1, components = 1;
  std::vector<grid_memory> grids;
  std::vector<std::span<std::byte>> pieces;  // gaps, padding and guards included
  std::vector<std::byte*> on_device;         // of which the pieces are images on the host; empty: none

  void to_device() const;
  void from_device() const;

  const grid_memory* find(int number) const;
  // Every cell gets its own value of this round, all other bytes something that depends on where they are.
  void fill(int round, const cell_values& values) const;
};

// The bytes of an array now; later the bytes that it must have.
class expected_bytes {
 public:
  explicit expected_bytes(const array_memory& array);
  // What the moves do to it when they come from `source`, a full description of which is not needed: values of a cell
  // follow from its number. Moves to boxes of other ranks are passed over.
  void apply(const std::vector<cell_move>& moves, int source_id, int round, const cell_values& values);
  // The text of the first difference, or nothing.
  std::optional<std::string> difference() const;

 private:
  std::byte* image_of(const std::byte* real);

  const array_memory& array_;
  std::vector<std::vector<std::byte>> images_;
};

}  // namespace wherry_test
