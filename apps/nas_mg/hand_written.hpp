/// @file
/// Fills the ghost cells of one brick by MPI calls, for comparison with a mover. It has three phases, as NPB's comm3:
/// x, then y with the ghost cells of x, then z with those of both. There is one message to each neighbour; copies to
/// the rank itself are direct.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "decompose.hpp"
#include "kernels.hpp"

namespace nas_mg {

class hand_written_fill {
 public:
  /// Local. Ranks without a brick fill nothing.
  hand_written_fill(MPI_Comm comm, int rank, const cut& how, const brick& cells);

  /// Makes the phases of x and y, and starts the messages of z.
  void start();
  void wait();

 private:
  struct face {
    int neighbour = -1;
    std::vector<double> sent, received;
  };
  void post(std::size_t axis);
  void finish(std::size_t axis);
  void copy_to_oneself(std::size_t axis);
  /// Calls `visit(pointer, cells)` for each row of one layer of cells, or for each cell of it across x.
  template <class Visit> void for_layer(std::size_t axis, long at, Visit&& visit) const;

  MPI_Comm comm_;
  brick cells_;
  bool takes_part_ = false;
  std::array<bool, 3> alone_{};               // periodic onto oneself along an axis
  std::array<std::array<face, 2>, 3> faces_;  // below and above
  std::array<MPI_Request, 4> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

}  // namespace nas_mg
