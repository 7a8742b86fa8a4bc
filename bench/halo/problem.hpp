/// @file
/// The problem all methods solve: three double fields, halo 3, periodic in all directions, all 26 neighbours.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

namespace bench::halo {

constexpr int width = 3;   // halo cells on each side
constexpr int fields = 3;  // exchanged together
constexpr int directions = 27;
constexpr int here = 13;  // the direction that is none

using triple = std::array<int, 3>;

/// Direction number e, from 0 to 26, as components -1, 0, 1. Its opposite is 26 - e.
constexpr triple direction(int e) { return {e % 3 - 1, e / 3 % 3 - 1, e / 9 - 1}; }
constexpr int opposite(int e) { return directions - 1 - e; }

/// A box of an array; indices count from the first halo cell.
struct cells {
  triple lower, extent;
  long count() const { return static_cast<long>(extent[0]) * extent[1] * extent[2]; }
};

/// One rank's part of the grid and where its fields are.
struct problem {
  MPI_Comm comm = MPI_COMM_WORLD;
  int rank = 0, size = 1;
  int n = 0;                            // core cells along each dimension of each rank
  triple grid{};                        // ranks along each dimension; placed as by MPI_Cart_create
  triple at{};                          // this rank's place
  long row = 0;                         // doubles from a cell to the next in y; x is contiguous
  long plane = 0;                       // and in z
  std::array<double*, fields> field{};  // the first halo cell of each

  int whole() const { return n + 2 * width; }
  double* cell(int f, const triple& p) const {
    return field[static_cast<std::size_t>(f)] + p[0] + p[1] * row + p[2] * plane;
  }
  /// The rank next to this one in direction e.
  int neighbor(int e) const;
  /// Core cells that the neighbour in direction e needs.
  cells outgoing(int e) const;
  /// Halo cells on the side of direction e.
  cells incoming(int e) const;
};

/// Ranks along x ("x": the contiguous axis), along z ("z": the slowest), or in all directions ("xyz").
triple grid_for(const std::string& split, int ranks);

/// A problem without fields.
problem make_problem(MPI_Comm comm, int n, const triple& grid);

/// Dense arrays on the heap, as a user's own code has them, and the problem that points to them.
struct heap_fields {
  explicit heap_fields(const problem& like);
  problem with_fields;

 private:
  struct release {
    void operator()(double* memory) const { std::free(memory); }
  };
  std::array<std::unique_ptr<double, release>, fields> memory_;
};

/// Gives every core cell a value that says where in the whole grid it is, and every halo cell one that is wrong.
void fill(const problem& p);
/// Makes the halo wrong again.
void spoil_halo(const problem& p);
/// Collective. How many halo cells of all ranks are wrong.
long count_wrong(const problem& p);
long count_wrong_core(const problem& p);
/// Stores to every core cell that leaves, as a computation would; the values stay.
void touch_outgoing(const problem& p);

}  // namespace bench::halo
