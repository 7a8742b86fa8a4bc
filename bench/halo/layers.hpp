/// @file
/// Fields on a mesh with ghosts in layers, and hand-written exchanges of them.
#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <vector>

#include "halo/peers.hpp"

namespace bench::halo {

/// The elements that a rank exchanges with one other rank, to one depth: local indices, in the order in which they
/// travel.
struct neighbor_indices {
  int peer = 0;
  std::vector<int> sent, received;
};

/// Four fields of a cell: two numbers, one of single precision, and a vector.
struct layered_fields {
  std::vector<double> pressure, energy;
  std::vector<float> moisture;
  std::vector<std::array<double, 3>> velocity;
};

// Hand-written exchanges of all four fields to one depth. Collective.
/// A plan and a message for each field, all in flight together.
std::unique_ptr<peer> make_plan_each(MPI_Comm comm, const std::vector<neighbor_indices>& lists, layered_fields& fields);
/// All fields packed into one message for each neighbour.
std::unique_ptr<peer> make_packed_together(MPI_Comm comm, const std::vector<neighbor_indices>& lists,
                                           layered_fields& fields);

}  // namespace bench::halo
