/// @file
/// GCL's layer L3: `Halo_Exchange_2D`, `Halo_Exchange_3D` and their variants with MPI datatypes (GCL, section 3).
#pragma once

#include <mpi.h>

#include <array>
#include <concepts>
#include <cstddef>

#include "wherry/halo/buffer_exchange.hpp"

#include "gcl/detail/split_phase.hpp"
#include "gcl/proc_grids.hpp"

namespace GCL {
namespace detail {

/// The part that the variants share. The first exchange after a registration that changes a size is collective: all
/// ranks must have registered their buffers and must run it.
template <class ProcGrid> class buffer_pattern : public started_in_halves<buffer_pattern<ProcGrid>> {
  using words = started_in_halves<buffer_pattern>;

 public:
  static constexpr int ndims = ProcGrid::ndims;
  using grid_type = ProcGrid;

  explicit buffer_pattern(const ProcGrid& grid) : words("Halo_Exchange"), grid_(grid), exchange_(grid.grid()) {}

  const ProcGrid& comm() const { return grid_; }
  const ProcGrid& proc_grid() const { return grid_; }

 protected:
  template <int... Direction> static constexpr std::array<int, sizeof...(Direction)> known() {
    static_assert(sizeof...(Direction) == static_cast<std::size_t>(ndims),
                  "a direction has one component a grid dimension");
    static_assert(((Direction >= -1 && Direction <= 1) && ...), "a direction has components of -1, 0 and 1");
    static_assert(((Direction != 0) || ...), "a direction must not be all zeros: that is the rank itself");
    return {Direction...};
  }

  ProcGrid grid_;
  wherry::buffer_exchange exchange_;

 private:
  friend words;
  void begin() {
    if (exchange_.needs_commit()) exchange_.commit();
    exchange_.start();
  }
  void end() { exchange_.wait(); }
};

template <class... Component>
concept runtime_direction = sizeof...(Component) > 0 && (std::convertible_to<Component, int> && ...);

}  // namespace detail

/// Exchanges buffers of bytes with the neighbours in any direction. Buffers beyond the edge of a grid that is not
/// periodic are ignored. Registrations are local.
template <class ProcGrid> class halo_exchange_buffers : public detail::buffer_pattern<ProcGrid> {
  using base = detail::buffer_pattern<ProcGrid>;

 public:
  using base::base;

  /// Registers a buffer for a direction: `register_send_to_buffer<0,1,1>(pointer, size)`, with the size in bytes.
  template <int First, int... Rest> void register_send_to_buffer(const void* pointer, std::size_t size) {
    this->exchange_.send_to(base::template known<First, Rest...>(), pointer, static_cast<wherry::index_t>(size));
  }
  template <int First, int... Rest> void register_receive_from_buffer(void* pointer, std::size_t size) {
    this->exchange_.receive_from(base::template known<First, Rest...>(), pointer, static_cast<wherry::index_t>(size));
  }
  template <int First, int... Rest> void register_recv_from_buffer(void* pointer, std::size_t size) {
    register_receive_from_buffer<First, Rest...>(pointer, size);
  }

  /// The direction as arguments: `register_send_to_buffer(pointer, size, 0, 1, 1)`.
  template <class... Component>
    requires detail::runtime_direction<Component...>
  void register_send_to_buffer(const void* pointer, std::size_t size, Component... direction) {
    this->exchange_.send_to({static_cast<int>(direction)...}, pointer, static_cast<wherry::index_t>(size));
  }
  template <class... Component>
    requires detail::runtime_direction<Component...>
  void register_receive_from_buffer(void* pointer, std::size_t size, Component... direction) {
    this->exchange_.receive_from({static_cast<int>(direction)...}, pointer, static_cast<wherry::index_t>(size));
  }
  template <class... Component>
    requires detail::runtime_direction<Component...>
  void register_recv_from_buffer(void* pointer, std::size_t size, Component... direction) {
    register_receive_from_buffer(pointer, size, direction...);
  }
};

/// As `halo_exchange_buffers`, with MPI datatypes in place of linear buffers: a pointer, a committed datatype and a
/// count.
template <class ProcGrid> class halo_exchange_buffers_DT : public detail::buffer_pattern<ProcGrid> {
  using base = detail::buffer_pattern<ProcGrid>;

 public:
  using base::base;

  template <int First, int... Rest>
  void register_send_to_buffer(const void* pointer, MPI_Datatype type, int count = 1) {
    this->exchange_.send_to(base::template known<First, Rest...>(), wherry::mpi_buffer(pointer, count, type));
  }
  template <int First, int... Rest> void register_receive_from_buffer(void* pointer, MPI_Datatype type, int count = 1) {
    this->exchange_.receive_from(base::template known<First, Rest...>(), wherry::mpi_buffer(pointer, count, type));
  }
  template <int First, int... Rest> void register_recv_from_buffer(void* pointer, MPI_Datatype type, int count = 1) {
    register_receive_from_buffer<First, Rest...>(pointer, type, count);
  }

  template <class... Component>
    requires detail::runtime_direction<Component...>
  void register_send_to_buffer(const void* pointer, MPI_Datatype type, int count, Component... direction) {
    this->exchange_.send_to({static_cast<int>(direction)...}, wherry::mpi_buffer(pointer, count, type));
  }
  template <class... Component>
    requires detail::runtime_direction<Component...>
  void register_receive_from_buffer(void* pointer, MPI_Datatype type, int count, Component... direction) {
    this->exchange_.receive_from({static_cast<int>(direction)...}, wherry::mpi_buffer(pointer, count, type));
  }
  template <class... Component>
    requires detail::runtime_direction<Component...>
  void register_recv_from_buffer(void* pointer, MPI_Datatype type, int count, Component... direction) {
    register_receive_from_buffer(pointer, type, count, direction...);
  }
};

/// GCL's names. The grid determines the number of dimensions, from 1 to 4.
template <class ProcGrid> using Halo_Exchange_2D = halo_exchange_buffers<ProcGrid>;
template <class ProcGrid> using Halo_Exchange_3D = halo_exchange_buffers<ProcGrid>;
template <class ProcGrid> using Halo_Exchange_2D_DT = halo_exchange_buffers_DT<ProcGrid>;
template <class ProcGrid> using Halo_Exchange_3D_DT = halo_exchange_buffers_DT<ProcGrid>;

}  // namespace GCL
