// What the halos of GCL's patterns must contain: each cell's value follows from its place in the whole domain, and the
// place of a rank's core from MPI's own Cartesian coordinates.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "gcl/gcl.hpp"
#include "harness/harness.hpp"

namespace gcl_oracle {

/// A Cartesian communicator of all ranks; never square where that can be helped, so that swapped dimensions are seen.
inline MPI_Comm cartesian(MPI_Comm comm, int dimensions) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  const auto n = static_cast<std::size_t>(dimensions);
  std::vector<int> extents(n, 0), periods(n, 0);
  MPI_Dims_create(ranks, dimensions, extents.data());
  MPI_Comm result = MPI_COMM_NULL;
  MPI_Cart_create(comm, dimensions, extents.data(), periods.data(), 0, &result);
  return result;
}

template <std::size_t N> using indices = std::array<wherry::index_t, N>;

template <class T, class Layout> struct array {
  static constexpr std::size_t dimensions = static_cast<std::size_t>(Layout::length);
  T* data;
  std::array<GCL::halo_descriptor, dimensions> halo;

  // The stride of a dimension is the product of the lengths of those with lower places.
  T& operator[](const indices<dimensions>& at) const {
    wherry::index_t offset = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      wherry::index_t stride = 1;
      for (std::size_t e = 0; e < dimensions; ++e)
        if (Layout::places[e] < Layout::places[d]) stride *= halo[e].length;
      offset += at[d] * stride;
    }
    return data[offset];
  }
  std::size_t size() const {
    std::size_t cells = 1;
    for (const auto& h : halo) cells *= static_cast<std::size_t>(h.length);
    return cells;
  }
};

template <std::size_t N, class Visit> void for_each_cell(const std::array<GCL::halo_descriptor, N>& halo, Visit visit) {
  indices<N> at{};
  for (;;) {
    visit(static_cast<const indices<N>&>(at));
    std::size_t d = 0;
    while (d < N && ++at[d] == halo[d].length) at[d++] = 0;
    if (d == N) return;
  }
}

template <class T, std::size_t N> T value(const indices<N>& global, int salt) {
  wherry::index_t code = salt;
  for (const auto g : global) code = code * 37 + g;
  return static_cast<T>(code % 10007);
}

/// Ranks along the user's dimensions, and this rank's place there.
template <std::size_t N> struct whereabouts {
  indices<N> ranks, place;

  whereabouts(MPI_Comm cart, const std::array<int, N>& axes) {
    int extents[N], periods[N], coordinates[N];
    MPI_Cart_get(cart, static_cast<int>(N), extents, periods, coordinates);
    for (std::size_t d = 0; d < N; ++d) {
      ranks[d] = extents[axes[d]];
      place[d] = coordinates[axes[d]];
    }
  }
};

template <class T, class Layout, std::size_t N = array<T, Layout>::dimensions>
void fill_core(MPI_Comm cart, const array<T, Layout>& field, const std::type_identity_t<std::array<int, N>>& axes,
               int salt, std::type_identity_t<T> elsewhere = -1) {
  const whereabouts<N> here(cart, axes);
  for_each_cell(field.halo, [&](const indices<N>& at) {
    bool core = true;
    indices<N> global{};
    for (std::size_t d = 0; d < N; ++d) {
      const auto& h = field.halo[d];
      core = core && at[d] >= h.begin && at[d] <= h.end;
      global[d] = at[d] - h.begin + here.place[d] * h.core();
    }
    field[at] = core ? value<T>(global, salt) : elsewhere;
  });
}

template <class T, class Layout, std::size_t N = array<T, Layout>::dimensions>
void check_halo(MPI_Comm cart, const array<T, Layout>& field, const std::type_identity_t<std::array<int, N>>& axes,
                const std::type_identity_t<std::array<bool, N>>& periodic, int salt,
                std::type_identity_t<T> elsewhere = -1, bool core_too = true) {
  const whereabouts<N> here(cart, axes);
  int wrong = 0;
  for_each_cell(field.halo, [&](const indices<N>& at) {
    bool filled = true, core = true;
    indices<N> global{};
    for (std::size_t d = 0; d < N; ++d) {
      const auto& h = field.halo[d];
      const auto cells = here.ranks[d] * h.core();
      filled = filled && at[d] >= h.begin - h.minus && at[d] <= h.end + h.plus;
      core = core && at[d] >= h.begin && at[d] <= h.end;
      global[d] = at[d] - h.begin + here.place[d] * h.core();
      if (!periodic[d] && (global[d] < 0 || global[d] >= cells)) filled = false;
      global[d] = (global[d] % cells + cells) % cells;
    }
    const bool expect_value = filled && (core_too || !core);
    if (field[at] != (expect_value ? value<T>(global, salt) : elsewhere)) ++wrong;
  });
  CHECK_EQUAL(wrong, 0);
}

}  // namespace gcl_oracle
