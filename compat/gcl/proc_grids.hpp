/// @file
/// `proc_grids`: Cartesian grids of processes (GCL, section 2).
#pragma once

#include <mpi.h>

#include <array>
#include <concepts>
#include <span>
#include <vector>

#include "wherry/halo/process_grid.hpp"

#include "gcl/boollist.hpp"
#include "gcl/runtime.hpp"

namespace GCL {
namespace detail {

/// The part that all process grids share: a value without MPI. All its functions are local.
template <int N> class placed_process {
 public:
  static_assert(N >= 1 && N <= 4, "process grids have 1 to 4 dimensions");
  static constexpr int ndims = N;
  using period_type = boollist<N>;

  placed_process(const period_type& periods, wherry::detail::rank_placement placed, int pid)
      : periods_(periods), placed_(std::move(placed)), pid_(pid) {}

  int pid() const { return pid_; }
  int size() const { return placed_.size(); }
  const period_type& periods() const { return periods_; }
  /// The number of ranks along a dimension.
  int extent(int dimension) const { return placed_.extents()[static_cast<std::size_t>(dimension)]; }
  /// This rank's coordinate along a dimension.
  int coordinate(int dimension) const { return placed_.coordinates(pid_)[static_cast<std::size_t>(dimension)]; }
  /// `dims(p, q, r)` and `coords(i, j, k)` write the values of all dimensions.
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

  /// The rank that lies this many steps away along each dimension; -1 beyond the edge of a grid that is not periodic.
  template <std::same_as<int>... Step>
    requires(sizeof...(Step) == static_cast<std::size_t>(N))
  int proc(Step... steps) const {
    const std::array<int, static_cast<std::size_t>(N)> by{steps...};
    auto at = placed_.coordinates(pid_);
    for (int d = 0; d < N; ++d) at[static_cast<std::size_t>(d)] += by[static_cast<std::size_t>(d)];
    return rank_at(at);
  }
  template <int... Step>
    requires(sizeof...(Step) == static_cast<std::size_t>(N))
  int proc() const {
    return proc(Step...);
  }
  /// The rank at these coordinates: any type with `[]`; -1 beyond the edge of a grid that is not periodic.
  template <class Coordinates>
    requires requires(const Coordinates& at) { at[0]; }
  int abs_proc(const Coordinates& coordinates) const {
    std::array<int, wherry::max_halo_dimensions> at{};
    for (int d = 0; d < N; ++d)
      at[static_cast<std::size_t>(d)] = static_cast<int>(coordinates[static_cast<std::size_t>(d)]);
    return rank_at(at);
  }

 private:
  int rank_at(std::array<int, wherry::max_halo_dimensions> at) const {
    for (int d = 0; d < N; ++d) {
      int& moved = at[static_cast<std::size_t>(d)];
      const int ranks = extent(d);
      if (!periods_.value(d) && (moved < 0 || moved >= ranks)) return -1;
      moved = (moved % ranks + ranks) % ranks;
    }
    return placed_.rank_at(at);
  }

  period_type periods_;
  wherry::detail::rank_placement placed_;
  int pid_ = 0;
};

template <int N> wherry::process_grid_options grid_options(const boollist<N>& periods, std::span<const int> extents) {
  wherry::process_grid_options result;
  for (int d = 0; d < N; ++d) result.periodic.push_back(periods.value(d));
  result.extents.assign(extents.begin(), extents.end());
  return result;
}

template <int N> std::vector<int> balanced_extents(int ranks) {
  if (ranks < 1)
    throw wherry::error(wherry::error_kind::argument, "process grid",
                        wherry::detail::text("'ranks' is ", ranks, ", expected 1 or more"));
  std::vector<int> result(static_cast<std::size_t>(N), 0);
  wherry::check_mpi(MPI_Dims_create(ranks, N, result.data()), "MPI_Dims_create");
  return result;
}

}  // namespace detail

/// An N-dimensional grid of the ranks of a communicator. A Cartesian communicator of N dimensions keeps its shape.
template <int N> class MPI_process_grid_t : public detail::placed_process<N> {
  using place = detail::placed_process<N>;

 public:
  using typename place::period_type;

  /// Collective over `comm`.
  /// @param periods along the dimensions of the grid
  /// @param extents the number of ranks along each dimension; 0 or left out: that of the Cartesian communicator, or
  ///   chosen by Wherry
  MPI_process_grid_t(const period_type& periods, MPI_Comm comm, std::span<const int> extents = {})
      : MPI_process_grid_t(periods, comm, wherry::process_grid(comm, detail::grid_options(periods, extents))) {}

  MPI_Comm communicator() const { return users_; }
  /// The same grid as a Wherry object.
  const wherry::process_grid& grid() const { return grid_; }

 private:
  MPI_process_grid_t(const period_type& periods, MPI_Comm comm, wherry::process_grid grid)
      : place(periods, wherry::detail::rank_placement::in_rows(grid.extents()), grid.comm().rank()),
        users_(comm),
        grid_(std::move(grid)) {}

  MPI_Comm users_;
  wherry::process_grid grid_;
};

/// An N-dimensional grid of processes by their numbers, without a communicator. Its functions are local, except `grid`.
/// A pattern on it, which is collective, runs on GCL_WORLD, or on MPI_COMM_WORLD before GCL_Init.
template <int N> class counted_process_grid_t : public detail::placed_process<N> {
  using place = detail::placed_process<N>;

 public:
  using typename place::period_type;

  /// Arranges `processes` processes as nearly as a cube as possible, the last dimension fastest; this process has
  /// number `pid`.
  /// @throws wherry::error(argument) if there is no such process
  counted_process_grid_t(const period_type& periods, int processes, int pid)
      : counted_process_grid_t(periods, detail::balanced_extents<N>(processes), pid) {}
  /// Takes the number of processes along each dimension, and the coordinates of this process: any types with `[]`.
  /// @throws wherry::error(argument) for coordinates outside the grid
  template <class Extents, class Coordinates>
    requires requires(const Extents& extents, const Coordinates& at) {
      extents[0];
      at[0];
    }
  counted_process_grid_t(const period_type& periods, const Extents& extents, const Coordinates& coordinates)
      : counted_process_grid_t(periods, first_of(extents), number_of(first_of(extents), first_of(coordinates))) {}

  MPI_Comm communicator() const { return GCL_WORLD == MPI_COMM_NULL ? MPI_COMM_WORLD : GCL_WORLD; }
  /// The same grid as a Wherry object. Collective over the communicator.
  wherry::process_grid grid() const {
    std::vector<int> extents;
    for (int d = 0; d < N; ++d) extents.push_back(this->extent(d));
    return wherry::process_grid(communicator(), detail::grid_options(this->periods(), extents));
  }

 private:
  counted_process_grid_t(const period_type& periods, std::vector<int> extents, int pid)
      : place(periods, wherry::detail::rank_placement::in_rows(std::move(extents)), pid) {
    if (pid < 0 || pid >= this->size())
      throw wherry::error(wherry::error_kind::argument, "process grid",
                          wherry::detail::text("'pid' is ", pid, ", expected 0 to ", this->size() - 1));
  }
  template <class Values> static std::vector<int> first_of(const Values& values) {
    std::vector<int> result;
    for (std::size_t d = 0; d < static_cast<std::size_t>(N); ++d) result.push_back(static_cast<int>(values[d]));
    return result;
  }
  static int number_of(const std::vector<int>& extents, const std::vector<int>& coordinates) {
    int number = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (coordinates[d] < 0 || coordinates[d] >= extents[d])
        throw wherry::error(wherry::error_kind::argument, "process grid",
                            wherry::detail::text("'coordinates' has ", coordinates[d], " in dimension ", d,
                                                 ", expected 0 to ", extents[d] - 1));
      number = number * extents[d] + coordinates[d];
    }
    return number;
  }
};

/// GCL's names; their argument is GCL's type for a list of periodicities.
template <class Periods = boollist<1>> using MPI_1D_process_grid_t = MPI_process_grid_t<Periods::length>;
template <class Periods = boollist<2>> using MPI_2D_process_grid_t = MPI_process_grid_t<Periods::length>;
template <class Periods = boollist<3>> using MPI_3D_process_grid_t = MPI_process_grid_t<Periods::length>;
template <class Periods = boollist<4>> using MPI_4D_process_grid_t = MPI_process_grid_t<Periods::length>;
template <class Periods = boollist<2>> using _2D_process_grid_t = counted_process_grid_t<Periods::length>;
template <class Periods = boollist<3>> using _3D_process_grid_t = counted_process_grid_t<Periods::length>;

}  // namespace GCL
