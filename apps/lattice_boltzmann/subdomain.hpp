/// @file
/// The cells that one rank owns, its neighbours, and the populations that travel between them.
#pragma once

#include <array>
#include <vector>

#include "wherry/wherry.hpp"

#include "model.hpp"

namespace lattice_boltzmann {

using extents3 = std::array<long, 3>;
using direction3 = std::array<int, 3>;

/// A rank's part of the cells, which are cut evenly over a grid of ranks.
struct subdomain {
  MPI_Comm comm;
  wherry::process_grid grid;
  extents3 lower, extent, all;  ///< the first cell, this rank's cells, all cells
  std::array<bool, 3> periodic, cut;

  /// Collective. @pre every axis has at least as many cells as ranks
  subdomain(MPI_Comm comm, const extents3& cells, const std::vector<int>& ranks, const std::array<bool, 3>& periodic);

  /// The rank beyond a side, edge or corner; MPI_PROC_NULL beyond a wall.
  int neighbour(const direction3& where) const;
  range3 cells() const { return {{0, 0, 0}, {extent[0], extent[1], extent[2]}}; }
  long count() const { return extent[0] * extent[1] * extent[2]; }
};

/// The data that travels between this rank and its neighbour in one direction. As many cells leave as arrive. The
/// opposite link of the neighbour has the same populations, with outgoing and arriving ones exchanged.
struct link {
  int number;  ///< of the direction, from 0 to `directions` - 1
  direction3 where;
  int peer;
  range3 leaves, arrives;    ///< this rank's outgoing cells, and its halo cells
  std::vector<int> out, in;  ///< populations: those that fly in this direction, and those that fly against it
};

inline constexpr int directions = 27;
/// The number of the opposite direction: the one in which the neighbour sees this rank.
constexpr int opposite(int number) { return directions - 1 - number; }

enum class halo_kind { reduced, full };

/// All links of a rank, in ascending order of direction. Along an axis that is not cut there are none, because the
/// kernels wrap around. A reduced link has only the populations that the neighbour needs: of D3Q19, 5 across a face, 1
/// across an edge, and none across a corner. A full link has all populations, also across corners.
std::vector<link> links_of(const subdomain& mine, const model& lattice, halo_kind kind);

/// The populations that fly in this direction, or all.
std::vector<int> populations_towards(const model& lattice, const direction3& where, halo_kind kind);

}  // namespace lattice_boltzmann
