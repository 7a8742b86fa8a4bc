/// @file
/// The same halo exchange, written carefully by hand with MPI. Wherry is compared with it.
#pragma once

#include <mpi.h>

#include <array>
#include <vector>

#include "fields.hpp"

namespace halo_demo {

/// Exchanges along x, then y, then z, so that edges and corners travel through face neighbours. There are two packed
/// messages for each axis with all fields; axes with one rank are copied directly.
// begin: what a user writes
class hand_written {
 public:
  /// Collective over `comm`, whose ranks are placed with the last axis fastest. Keeps pointers to the fields.
  hand_written(MPI_Comm comm, const std::vector<int>& extents, fields& data, long size);
  ~hand_written();
  hand_written(const hand_written&) = delete;
  hand_written& operator=(const hand_written&) = delete;

  void exchange();

 private:
  struct cells {
    std::array<long, 3> lower, extent;
    long count() const { return extent[0] * extent[1] * extent[2]; }
  };
  struct axis {
    int below = 0, above = 0;  // ranks
    cells low_core, high_core, low_halo, high_halo;
    std::vector<double> out, in;  // what goes or comes below, then above
    std::array<MPI_Request, 2> sends, receives;
  };
  double* pack(const cells& part, double* buffer) const;
  const double* unpack(const cells& part, const double* buffer) const;
  void copy_within(const cells& from, const cells& to) const;
  double* cell(std::size_t field, const std::array<long, 3>& at) const {
    return first_[field] + at[0] + at[1] * row_ + at[2] * plane_;
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  std::vector<double*> first_;  // core cell (0, 0, 0) of each field
  long row_ = 0, plane_ = 0;
  std::array<axis, 3> axes_;
};
// end

}  // namespace halo_demo
