/// @file
/// Index lists as in HPCG: each rank has a cube of rows, with all 26 neighbours, and the externals follow the rows.
#pragma once

#include <mpi.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "halo/peers.hpp"

namespace bench::halo {

/// The lists of one rank.
struct list_problem {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 1, n = 0, rows = 0;
  std::array<int, 3> grid{};
  std::vector<int> neighbors, send_lengths, sent, receive_lengths;
  std::vector<int> external_ids;  ///< the expected value of each external: rank * rows + its row there

  int externals() const { return static_cast<int>(external_ids.size()); }
  std::size_t bytes_sent() const { return sent.size() * sizeof(double); }
};
/// @param n rows along each axis
list_problem make_list_problem(MPI_Comm comm, int n, const std::array<int, 3>& grid);

// Hand-written exchanges: outgoing elements are gathered index by index, and arriving ones are received in place.
// Collective.
std::unique_ptr<peer> make_hand_lists(const list_problem& p, double* x);     // all sends at once, then all waits
std::unique_ptr<peer> make_lists_of_hpcg(const list_problem& p, double* x);  // blocking sends, as in HPCG

}  // namespace bench::halo
