/// @file
/// The same program, written by hand with MPI alone: each rank has one block and packs, sends and unpacks six faces.
#pragma once

#include <mpi.h>

#include <vector>

#include "harness/contest.hpp"
#include "problem.hpp"

namespace redblack3d {

/// The halo update, in place of the mover.
class face_exchange {
 public:
  face_exchange(MPI_Comm comm, const problem& what, const array3& u);
  void start();
  void wait();

 private:
  struct face {
    int peer, tag_out, tag_in;
    range3 leaves, arrives;
    std::vector<double> out, in;
  };
  MPI_Comm comm_;
  array3 u_;
  std::vector<face> faces_;
  std::vector<MPI_Request> requests_;
};

class twin {
 public:
  /// @pre as many blocks as ranks
  twin(MPI_Comm comm, const problem& what);
  twin(const twin&) = delete;
  twin& operator=(const twin&) = delete;

  void sweep();
  void sweep_overlapped();
  void reset();
  state look() const;
  double communicating() const { return exchange_.seconds(); }

 private:
  problem what_;
  range3 cells_, inner_;
  std::vector<range3> shell_;
  std::vector<double> u_memory_, f_memory_;
  array3 u_, f_;
  bench::timed<face_exchange> exchange_;
};

}  // namespace redblack3d
