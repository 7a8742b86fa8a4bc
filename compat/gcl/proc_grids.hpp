/// @file
/// `proc_grids`: Cartesian grids of processes (paper 1, section 2).
#pragma once

#include <mpi.h>

#include <array>
#include <concepts>

#include "wherry/halo/process_grid.hpp"

#include "gcl/boollist.hpp"

namespace GCL {

/// N-dimensional grid of the ranks of a communicator; a Cartesian communicator of N dimensions keeps its shape.
template <int N> class MPI_process_grid_t {
 public:
  static_assert(N >= 1 && N <= 4, "process grids have 1 to 4 dimensions");
  static constexpr int ndims = N;
  using period_type = boollist<N>;

  /// Collective. @param periods along the dimensions of the grid
  MPI_process_grid_t(const period_type& periods, MPI_Comm comm)
      : users_(comm), periods_(periods), grid_(comm, {.periodic = as_vector(periods), .extents = {}}) {}

  MPI_Comm communicator() const { return users_; }
  int pid() const { return grid_.comm().rank(); }
  int size() const { return grid_.size(); }
  const period_type& periods() const { return periods_; }
  /// Ranks along a dimension.
  int extent(int dimension) const { return grid_.extents()[static_cast<std::size_t>(dimension)]; }
  /// This rank's coordinate along a dimension.
  int coordinate(int dimension) const { return grid_.coordinates(pid())[static_cast<std::size_t>(dimension)]; }
  /// `dims(p, q, r)`, `coords(i, j, k)`: the same for all dimensions at once.
  template <std::same_as<int>... Dimension>
    requires(sizeof...(Dimension) == static_cast<std::size_t>(N))
  void dims(Dimension&... extents) const {
    int d = 0;
    ((extents = extent(d++)), ...);
  }
  template <std::same_as<int>... Dimension>
    requires(sizeof...(Dimension) == static_cast<std::size_t>(N))
  void coords(Dimension&... coordinates) const {
    int d = 0;
    ((coordinates = coordinate(d++)), ...);
  }

  /// The rank that lies so many steps away along each dimension, or -1 beyond the edge of a mesh.
  template <std::same_as<int>... Step>
    requires(sizeof...(Step) == static_cast<std::size_t>(N))
  int proc(Step... steps) const {
    const std::array<int, static_cast<std::size_t>(N)> by{steps...};
    auto at = grid_.coordinates(pid());
    for (std::size_t d = 0; d < by.size(); ++d) {
      const int ranks = grid_.extents()[d], moved = at[d] + by[d];
      if (!grid_.periodic()[d] && (moved < 0 || moved >= ranks)) return -1;
      at[d] = (moved % ranks + ranks) % ranks;
    }
    return grid_.rank_at(at);
  }
  template <int... Step>
    requires(sizeof...(Step) == static_cast<std::size_t>(N))
  int proc() const {
    return proc(Step...);
  }

  /// Wherry's own.
  const wherry::process_grid& grid() const { return grid_; }

 private:
  static std::vector<bool> as_vector(const period_type& periods) {
    std::vector<bool> result;
    for (int d = 0; d < N; ++d) result.push_back(periods.value(d));
    return result;
  }

  MPI_Comm users_;
  period_type periods_;
  wherry::process_grid grid_;
};

/// GCL's names; the argument is the kind of its list of periodicities.
template <class Periods = boollist<1>> using MPI_1D_process_grid_t = MPI_process_grid_t<Periods::length>;
template <class Periods = boollist<2>> using MPI_2D_process_grid_t = MPI_process_grid_t<Periods::length>;
template <class Periods = boollist<3>> using MPI_3D_process_grid_t = MPI_process_grid_t<Periods::length>;
template <class Periods = boollist<4>> using MPI_4D_process_grid_t = MPI_process_grid_t<Periods::length>;

}  // namespace GCL
