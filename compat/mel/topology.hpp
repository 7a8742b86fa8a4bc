/// @file
/// Cartesian topologies. Calls are local unless they say otherwise.
#pragma once

#include <mpi.h>

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "mel/comm.hpp"
#include "mel/datatype.hpp"

namespace MEL {

/// The number of processes in a dimension, and whether the dimension is periodic.
struct TopoCartesian_Dim {
  int size = 0, periodic = 0;
  TopoCartesian_Dim() = default;
  TopoCartesian_Dim(int processes, bool ends_meet) : size(processes), periodic(ends_meet ? 1 : 0) {}
  TopoCartesian_Dim(int processes, int ends_meet) : size(processes), periodic(ends_meet) {}
};

/// Distributes `processes` over the dimensions of `dims` that are 0.
inline void TopoCartesianMakeDims(int processes, int dimensions, int* dims) {
  detail::call("MEL::TopoCartesianMakeDims", MPI_Dims_create, processes, dimensions, dims);
}
inline void TopoCartesianMakeDims(const Comm& comm, int dimensions, int* dims) {
  TopoCartesianMakeDims(detail::answer<int>("MEL::TopoCartesianMakeDims", MPI_Comm_size, comm), dimensions, dims);
}
inline std::vector<int> TopoCartesianMakeDims(int processes, int dimensions) {
  detail::must_not_be_negative("MEL::TopoCartesianMakeDims", "the number of dimensions", dimensions);
  std::vector<int> dims(static_cast<std::size_t>(dimensions));
  TopoCartesianMakeDims(processes, dimensions, dims.data());
  return dims;
}
inline std::vector<int> TopoCartesianMakeDims(const Comm& comm, int dimensions) {
  return TopoCartesianMakeDims(detail::answer<int>("MEL::TopoCartesianMakeDims", MPI_Comm_size, comm), dimensions);
}

/// Makes a communicator with a topology; ranks keep their numbers. Null on ranks that are left over. Collective over
/// `comm`.
inline Comm TopoCartesianCreate(const Comm& comm, int dimensions, const int* dims, const int* periods) {
  return detail::made_from(
      comm, detail::answer<MPI_Comm>("MEL::TopoCartesianCreate", MPI_Cart_create, comm, dimensions, dims, periods, 0));
}
inline Comm TopoCartesianCreate(const Comm& comm, const std::vector<TopoCartesian_Dim>& dims) {
  return TopoCartesianCreate(comm, static_cast<int>(dims.size()), detail::column(dims, &TopoCartesian_Dim::size).data(),
                             detail::column(dims, &TopoCartesian_Dim::periodic).data());
}

inline int TopoCartesianNumDims(const Comm& comm) {
  return detail::answer<int>("MEL::TopoCartesianNumDims", MPI_Cartdim_get, comm);
}

/// The rank at these coordinates.
inline int TopoCartesianRank(const Comm& comm, const int* coords) {
  return detail::answer<int>("MEL::TopoCartesianRank", MPI_Cart_rank, comm, coords);
}
/// The rank at these coordinates.
/// @throws wherry::error if there are not as many coordinates as dimensions
inline int TopoCartesianRank(const Comm& comm, const std::vector<int>& coords) {
  constexpr std::string_view where = "MEL::TopoCartesianRank";
  const int dimensions = detail::answer<int>(where, MPI_Cartdim_get, comm);
  if (!std::cmp_equal(coords.size(), dimensions))
    detail::refuse(where, wherry::detail::text("'coords' has ", coords.size(), " entries, expected ", dimensions,
                                               ", one for each dimension"));
  return TopoCartesianRank(comm, coords.data());
}

/// The coordinates of `rank`, or of this rank if none is given.
inline void TopoCartesianCoords(const Comm& comm, int rank, int dimensions, int* coords) {
  detail::call("MEL::TopoCartesianCoords", MPI_Cart_coords, comm, rank, dimensions, coords);
}
inline std::vector<int> TopoCartesianCoords(const Comm& comm, int rank, int dimensions) {
  detail::must_not_be_negative("MEL::TopoCartesianCoords", "the number of dimensions", dimensions);
  std::vector<int> coords(static_cast<std::size_t>(dimensions));
  TopoCartesianCoords(comm, rank, dimensions, coords.data());
  return coords;
}
inline std::vector<int> TopoCartesianCoords(const Comm& comm, int rank) {
  return TopoCartesianCoords(comm, rank, detail::answer<int>("MEL::TopoCartesianCoords", MPI_Cartdim_get, comm));
}
inline std::vector<int> TopoCartesianCoords(const Comm& comm) {
  return TopoCartesianCoords(comm, detail::answer<int>("MEL::TopoCartesianCoords", MPI_Comm_rank, comm));
}

inline void TopoCartesianGet(const Comm& comm, int dimensions, int* dims, int* periods, int* coords) {
  detail::call("MEL::TopoCartesianGet", MPI_Cart_get, comm, dimensions, dims, periods, coords);
}
/// Returns this rank's coordinates and the dimensions.
inline std::pair<std::vector<int>, std::vector<TopoCartesian_Dim>> TopoCartesianGet(const Comm& comm) {
  const int dimensions = detail::answer<int>("MEL::TopoCartesianGet", MPI_Cartdim_get, comm);
  const auto n = static_cast<std::size_t>(dimensions);
  std::vector<int> sizes(n), periods(n), coords(n);
  TopoCartesianGet(comm, dimensions, sizes.data(), periods.data(), coords.data());
  std::vector<TopoCartesian_Dim> dims;
  for (std::size_t d = 0; d < n; ++d) dims.emplace_back(sizes[d], periods[d]);
  return {coords, dims};
}

/// The ranks at `distance` before and behind this one in a dimension; PROC_NULL beyond an end.
inline void TopoCartesianShift(const Comm& comm, int dimension, int distance, int& before, int& behind) {
  detail::call("MEL::TopoCartesianShift", MPI_Cart_shift, comm, dimension, distance, &before, &behind);
}
inline std::pair<int, int> TopoCartesianShift(const Comm& comm, int dimension, int distance) {
  int before = PROC_NULL, behind = PROC_NULL;
  TopoCartesianShift(comm, dimension, distance, before, behind);
  return {before, behind};
}

/// The neighbours of a rank in two dimensions: `x0` and `x1` are before and behind it in the first, `y0` and `y1` in
/// the second dimension; PROC_NULL if there is none. The index goes round the rank, beginning with `y0`.
struct CartesianStencil2D5P {
  int y0 = PROC_NULL, y1 = PROC_NULL, x0 = PROC_NULL, x1 = PROC_NULL;
  int operator[](int i) const {
    const std::array around{y0, x1, y1, x0};
    return i < 0 || i >= 4 ? PROC_NULL : around[static_cast<std::size_t>(i)];
  }
};
/// The neighbours of a rank in two dimensions, with those at the corners.
struct CartesianStencil2D9P {
  int y0 = PROC_NULL, y1 = PROC_NULL, x0 = PROC_NULL, x1 = PROC_NULL;
  int x0y0 = PROC_NULL, x0y1 = PROC_NULL, x1y0 = PROC_NULL, x1y1 = PROC_NULL;
  int operator[](int i) const {
    const std::array around{y0, x1y0, x1, x1y1, y1, x0y1, x0, x0y0};
    return i < 0 || i >= 8 ? PROC_NULL : around[static_cast<std::size_t>(i)];
  }
};

namespace detail {

template <class Stencil> Stencil stencil_of(std::string_view where, const Comm& comm) {
  const int dimensions = answer<int>(where, MPI_Cartdim_get, comm);
  if (dimensions != 2)
    refuse(where, wherry::detail::text("the stencil has 2 dimensions, but the communicator has ", dimensions));
  Stencil stencil;
  TopoCartesianShift(comm, 0, 1, stencil.x0, stencil.x1);
  TopoCartesianShift(comm, 1, 1, stencil.y0, stencil.y1);
  return stencil;
}

}  // namespace detail

/// The neighbours of this rank.
/// @throws wherry::error if the communicator does not have two dimensions
inline CartesianStencil2D5P TopoCartesianStencil2D5P(const Comm& comm) {
  return detail::stencil_of<CartesianStencil2D5P>("MEL::TopoCartesianStencil2D5P", comm);
}
inline CartesianStencil2D9P TopoCartesianStencil2D9P(const Comm& comm) {
  auto stencil = detail::stencil_of<CartesianStencil2D9P>("MEL::TopoCartesianStencil2D9P", comm);
  const auto [here, dims] = TopoCartesianGet(comm);
  const auto corner = [&](int dx, int dy) {
    std::vector<int> there{here[0] + dx, here[1] + dy};
    for (std::size_t d = 0; d < 2; ++d)
      if (dims[d].periodic == 0 && (there[d] < 0 || there[d] >= dims[d].size)) return PROC_NULL;
    return TopoCartesianRank(comm, there);  // in a periodic dimension MPI wraps coordinates around
  };
  stencil.x0y0 = corner(-1, -1);
  stencil.x0y1 = corner(-1, 1);
  stencil.x1y0 = corner(1, -1);
  stencil.x1y1 = corner(1, 1);
  return stencil;
}

}  // namespace MEL
