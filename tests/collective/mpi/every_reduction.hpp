// Every predefined operation of MPI's on every type that it is defined for, and what it makes of numbers.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace collective_oracle {

/// One operation on one type. Elements are bytes as they lie in a user's memory.
struct reduction_row {
  std::string name;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  std::size_t bytes = 0;  ///< of an element
  /// Wherry computes it itself. The others are MPI's to compute, and right where MPI_Reduce_local is.
  bool ours = false;
  std::function<void(std::byte* element, std::uint64_t random, std::size_t place)> put;
  std::function<void(std::byte* into, const std::byte* right)> apply;  ///< into = into (op) right
  std::function<bool(const std::byte*, const std::byte*)> same;
  std::function<std::string(const std::byte*)> text;

  std::vector<std::byte> contribution(std::uint64_t seed, int rank, std::size_t count) const;
  /// x(0) op … op x(last).
  std::vector<std::byte> result(std::uint64_t seed, int last, std::size_t count) const;
};

/// All of them. Where this MPI's own arithmetic is wrong (Open MPI 4.1 and 8-bit sums), what it makes is what is
/// expected of rows that are not `ours`.
const std::vector<reduction_row>& every_reduction();

}  // namespace collective_oracle
