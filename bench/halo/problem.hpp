/// @file
/// The problem that all methods of one contest solve: some fields with one element type, halos of one width, periodic
/// in all directions, with all neighbours (26, in two dimensions 8).
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace bench::halo {

constexpr int directions = 27;
constexpr int here = 13;  // the direction to the rank itself

using triple = std::array<int, 3>;

/// Direction number e, from 0 to 26, as components -1, 0, 1. Its opposite is 26 - e.
constexpr triple direction(int e) { return {e % 3 - 1, e / 3 % 3 - 1, e / 9 - 1}; }
constexpr int opposite(int e) { return directions - 1 - e; }

/// A box of an array; indices count from the first halo cell.
struct cells {
  triple lower, extent;
  long count() const { return static_cast<long>(extent[0]) * extent[1] * extent[2]; }
};

/// The data to exchange: `--fields`, `--width`, `--dimensions`, `--element`.
struct shape {
  int fields = 3;
  int width = 3;        ///< halo cells on each side
  int dimensions = 3;   ///< or 2: one plane, without halo along z
  bool single = false;  ///< float instead of double
};

/// One rank's part of the grid, and the places of its fields.
struct problem {
  MPI_Comm comm = MPI_COMM_WORLD;
  int rank = 0, size = 1;
  shape what;
  int n = 0;                 // core cells along each dimension of each rank
  triple grid{};             // ranks along each dimension; placed as by MPI_Cart_create
  triple at{};               // this rank's place
  long element = 8;          // bytes
  long row = 0;              // bytes from a cell to the next in y; x is contiguous
  long plane = 0;            // and in z
  std::vector<char*> field;  // the first halo cell of each

  bool has(std::size_t dimension) const { return static_cast<int>(dimension) < what.dimensions; }
  int core(std::size_t dimension) const { return has(dimension) ? n : 1; }
  int halo(std::size_t dimension) const { return has(dimension) ? what.width : 0; }
  int whole(std::size_t dimension) const { return core(dimension) + 2 * halo(dimension); }
  MPI_Datatype type() const { return what.single ? MPI_FLOAT : MPI_DOUBLE; }
  /// Bytes of a box of all fields.
  std::size_t bytes(const cells& box) const { return field.size() * static_cast<std::size_t>(box.count() * element); }
  char* cell(std::size_t f, const triple& p) const { return field[f] + p[0] * element + p[1] * row + p[2] * plane; }
  /// True if there are cells to send in direction e.
  bool sends(int e) const { return e != here && (what.dimensions > 2 || direction(e)[2] == 0); }
  /// The rank next to this one in direction e.
  int neighbor(int e) const;
  /// The core cells that the neighbour in direction e needs.
  cells outgoing(int e) const;
  /// The halo cells on the side of direction e.
  cells incoming(int e) const;
};

/// The grid of ranks: along the contiguous axis x ("x"), along the slowest axis ("z"; y in two dimensions), or in all
/// directions ("xyz").
triple grid_for(const std::string& split, int ranks, int dimensions = 3);

/// Makes a problem without fields.
problem make_problem(MPI_Comm comm, const shape& what, int n, const triple& grid);

/// Dense arrays on the heap, as a user's own code has them, and the problem that points to them.
struct heap_fields {
  explicit heap_fields(const problem& like);
  problem with_fields;

 private:
  struct release {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::vector<std::unique_ptr<char, release>> memory_;
};

/// Sets every core cell to a value that follows from its place in the whole grid, and every halo cell to a wrong value.
void fill(const problem& p);
/// Makes the halo wrong again.
void spoil_halo(const problem& p);
/// Collective. Returns the number of wrong halo cells on all ranks.
long count_wrong(const problem& p);
long count_wrong_core(const problem& p);
/// Rewrites every outgoing core cell, as a computation would, without changing its value.
void touch_outgoing(const problem& p);

}  // namespace bench::halo
