/// @file
/// Exchanges buffers that the user has packed with the neighbours in a process grid (GCL, section 3: layer L3).
///
///     wherry::buffer_exchange exchange(grid);
///     exchange.send_to<0, 1, 1>(out, bytes);            // or send_to({0, 1, 1}, out, bytes)
///     exchange.receive_from<0, -1, -1>(in, bytes);
///     exchange.commit();                                 // collective
///     exchange();                                       // or start(); …; wait();
///
/// If the data is an array with a halo, `halo_exchange` needs no packing. For ranks that are not neighbours use
/// `alltoall_exchange`.
#pragma once

#include <array>
#include <concepts>
#include <initializer_list>
#include <span>

#include "wherry/halo/mpi_buffer.hpp"
#include "wherry/halo/process_grid.hpp"
#include "wherry/halo/transfer_set.hpp"

namespace wherry {

namespace detail {

/// The direction of a neighbour in a process grid: for each grid dimension -1, 0 or 1.
using grid_direction = std::array<int, max_halo_dimensions>;

}  // namespace detail

/// An exchange of buffers between neighbours in a process grid of 1 to 4 dimensions. The buffer that a rank sends in
/// direction d arrives in the buffer that the neighbour there receives from direction -d. Buffers beyond the edge of a
/// mesh are ignored. A rank may be its own neighbour, or the neighbour of another rank in several directions. Movable.
///
/// A buffer is raw memory, an `array_section`, a region of a user structure, or an `mpi_buffer`. Registration is local,
/// and `commit` reports its errors. Registering a direction again replaces its buffer; if only the address differs, no
/// new `commit` is needed.
class buffer_exchange : public detail::registered_pattern {
 public:
  /// Local. `commit` is the collective step.
  explicit buffer_exchange(const process_grid& grid, const carry_options& options = {});

  /// Registers the buffer for one direction, which has one component for each grid dimension.
  void send_to(std::span<const int> direction, const void* buffer, index_t bytes,
               memory_space space = memory_space::host);
  void receive_from(std::span<const int> direction, void* buffer, index_t bytes,
                    memory_space space = memory_space::host);
  void send_to(std::span<const int> direction, array_section part);
  void receive_from(std::span<const int> direction, array_section part);
  void send_to(std::span<const int> direction, const user_structure& from, index_t region, index_t bytes);
  void receive_from(std::span<const int> direction, const user_structure& into, index_t region, index_t bytes);
  void send_to(std::span<const int> direction, const mpi_buffer& from);
  void receive_from(std::span<const int> direction, const mpi_buffer& into);

  /// Overloads for a direction in braces: `send_to({0, 1, 1}, …)`.
  template <class... Buffer> void send_to(std::initializer_list<int> direction, Buffer&&... buffer) {
    send_to(std::span<const int>(direction.begin(), direction.size()), std::forward<Buffer>(buffer)...);
  }
  template <class... Buffer> void receive_from(std::initializer_list<int> direction, Buffer&&... buffer) {
    receive_from(std::span<const int>(direction.begin(), direction.size()), std::forward<Buffer>(buffer)...);
  }
  /// Overloads for a direction that the compiler checks: `send_to<0, 1, 1>(…)`.
  template <int First, int... Rest, class... Buffer> void send_to(Buffer&&... buffer) {
    check_direction<First, Rest...>();
    send_to({First, Rest...}, std::forward<Buffer>(buffer)...);
  }
  template <int First, int... Rest, class... Buffer> void receive_from(Buffer&&... buffer) {
    check_direction<First, Rest...>();
    receive_from({First, Rest...}, std::forward<Buffer>(buffer)...);
  }

  /// The rank in a direction; -1 beyond the edge of a mesh, and on ranks outside the grid.
  int neighbor(std::span<const int> direction) const;

 private:
  template <int... Direction> static constexpr void check_direction() {
    static_assert(((Direction >= -1 && Direction <= 1) && ...), "a direction has components of -1, 0 and 1");
    static_assert(((Direction != 0) || ...), "a direction must not be all zeros: that is the rank itself");
    static_assert(sizeof...(Direction) <= max_halo_dimensions, "a grid has at most 4 dimensions");
  }
  template <class... Buffer> void add(std::span<const int> direction, bool sends, const Buffer&... buffer);

  process_grid grid_;
};

}  // namespace wherry
