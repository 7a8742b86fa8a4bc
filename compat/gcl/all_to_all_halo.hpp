/// @file
/// `all_to_all_halo`: blocks of arrays to and from processes of a grid, described by halo descriptors.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "wherry/halo/alltoall_exchange.hpp"

#include "gcl/detail/element.hpp"
#include "gcl/detail/split_phase.hpp"
#include "gcl/tags.hpp"

namespace GCL {

/// A scatter, a gather or a transposition of blocks. A registered block is the cells from `begin` to `end` of each
/// dimension; halos are neither sent nor changed.
/// @tparam T the type of elements
/// @tparam ProcGrid the process grid
template <class T, class ProcGrid>
class all_to_all_halo : public detail::started_in_halves<all_to_all_halo<T, ProcGrid>> {
  using words = detail::started_in_halves<all_to_all_halo>;

 public:
  static constexpr int ndims = ProcGrid::ndims;
  using value_type = T;
  using grid_type = ProcGrid;

  /// Collective over the grid.
  explicit all_to_all_halo(const ProcGrid& grid) : all_to_all_halo(grid, grid.communicator()) {}
  /// Collective over `comm`, which has the ranks of the grid in the same order.
  all_to_all_halo(const ProcGrid& grid, MPI_Comm comm)
      : words("all_to_all_halo"), grid_(grid), exchange_(wherry::communicator(comm)) {
    detail::require_element<T>();
  }

  /// Registers a block of an array for the process at these coordinates. The n-th block for a process arrives in the
  /// n-th block that it registers from this process. Local.
  /// @param pointer the element with all indices 0
  /// @param block one halo descriptor for each dimension, beginning with that of stride 1: any type with `[]`
  /// @param coordinates of the process, in the order of the grid's dimensions: any type with `[]`
  /// @throws wherry::error(argument) for coordinates outside the grid
  template <class Block, class Coordinates>
  void register_block_to(const T* pointer, const Block& block, const Coordinates& coordinates) {
    exchange_.send(process_at(coordinates), section(pointer, block));
  }
  template <class Block, class Coordinates>
  void register_block_from(T* pointer, const Block& block, const Coordinates& coordinates) {
    exchange_.receive(process_at(coordinates), section(pointer, block));
  }

  /// Call this after the last registration. Collective.
  void setup() { exchange_.commit(); }

  const ProcGrid& comm() const { return grid_; }

 private:
  friend words;
  void begin() { exchange_.start(); }
  void end() { exchange_.wait(); }

  template <class Coordinates> int process_at(const Coordinates& coordinates) const {
    const int process = grid_.abs_proc(coordinates);
    if (process < 0)
      throw wherry::error(wherry::error_kind::argument, "all_to_all_halo",
                          "the grid has no process at the given 'coordinates'", grid_.pid());
    return process;
  }
  template <class Value, class Block> static wherry::array_section section(Value* pointer, const Block& block) {
    wherry::point<ndims> extents{};
    wherry::box<ndims> core{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(ndims); ++d) {
      extents[d] = block[d].length;
      core.lower[d] = block[d].begin;
      core.upper[d] = block[d].end + 1;
    }
    using element = detail::element<Value>;
    return wherry::section_of(wherry::view<element, ndims>(reinterpret_cast<element*>(pointer), extents), core);
  }

  ProcGrid grid_;
  wherry::alltoall_exchange exchange_;
};

}  // namespace GCL
