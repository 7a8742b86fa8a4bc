/// @file
/// The twin of `with_blocks` without Wherry's communication: slabs, transpositions by MPI_Alltoallv between buffers
/// that are packed and unpacked row by row.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "transform.hpp"

namespace nas_ft {

/// The class has the same functions as `with_blocks`; all are collective.
class hand_written {
 public:
  /// There may be at most as many ranks as planes.
  hand_written(MPI_Comm comm, const problem& what, planning effort);

  void fill();
  void forward();
  void evolve(int t);
  complex checksum() const;
  /// The seconds spent in transpositions since the beginning, with packing and copies to the rank itself.
  double communicating() const { return communicating_; }

 private:
  struct release {
    void operator()(complex* memory) const { fftw_free(memory); }
  };
  using memory = std::unique_ptr<complex[], release>;
  static memory allocate(wherry::index_t points);
  /// An array of these cells with rows of x, whose slowest dimension is `slowest`.
  view make_array(const wherry::box<3>& cells, int slowest);

  /// Transposes between arrays whose slowest dimensions are y and z; the slowest dimension of `to` is `cut`.
  void transpose(const view& from, const view& to, std::size_t cut);
  void exchange(const wherry::box<3>& from, const wherry::box<3>& to, std::size_t cut);
  /// The cells of a rank in space, its planes of z (2), or in the spectrum, its planes of y (1).
  wherry::box<3> slab(int rank, std::size_t cut) const;

  MPI_Comm comm_;
  int rank_ = 0, ranks_ = 1;
  problem problem_;
  std::vector<memory> memory_;
  view field_, spectrum_, decayed_;
  memory sent_, received_;
  std::vector<int> leaving_, arriving_, leaving_from_, arriving_at_;  // one number for each rank, in doubles
  std::vector<transform> forward_xy_, forward_z_, inverse_z_, inverse_xy_;
  decay decay_;
  double communicating_ = 0;
};

}  // namespace nas_ft
