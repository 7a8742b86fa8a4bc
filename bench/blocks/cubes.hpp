/// @file
/// The work for the comparison: a periodic domain of n³ cells in cubes of b³, each with ghost cells, dealt to the ranks
/// in order. It is written without the library, so that it can check the library.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

namespace bench::blocks {

using triple = std::array<int, 3>;

struct cubes {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1;
  int n = 0, b = 0, components = 1, width = 1;

  cubes(MPI_Comm on, int domain, int box, int values, int ghosts);
  int along() const { return n / b; }
  int boxes() const { return along() * along() * along(); }
  int owner(int box) const { return static_cast<int>(static_cast<long>(box) * size / boxes()); }
  triple place(int box) const { return {box % along(), box / along() % along(), box / along() / along()}; }
  /// The box at a place, with periodic edges.
  int at(triple place) const;
  std::vector<int> owned_by(int who) const;
  /// The number of cells along an edge of a grid, and the number of doubles of a whole grid.
  long edge() const { return b + 2 * width; }
  long grid() const { return components * edge() * edge() * edge(); }
  /// Bytes of all ghost cells of this rank: the payload of a fill.
  double payload() const;
};

/// The place of the cells of one local box.
struct box_cells {
  int box = 0;
  double* first = nullptr;  ///< the outermost ghost cell, component 0
  long row = 0, plane = 0, component = 0;
  double* cell(triple p, int c) const { return first + p[0] + p[1] * row + p[2] * plane + c * component; }
};

/// Sets interior cells to their values and ghost cells to wrong values. Local, but all ranks should call it.
void fill(const cubes& work, const std::vector<box_cells>& local);
/// Rewrites the interior cells within `width` of a face with their present values.
void rewrite(const cubes& work, const std::vector<box_cells>& local);
/// The number of cells on all ranks, ghost cells included, that do not have the value of their place.
long count_wrong(const cubes& work, const std::vector<box_cells>& local);

}  // namespace bench::blocks
