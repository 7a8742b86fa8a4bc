/// @file
/// X-arrays: distributed collections of grids (paper 4, section 2: XArray).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "wherry/core/checked.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/core/node_memory.hpp"
#include "wherry/core/owned.hpp"
#include "wherry/core/plain_algorithms.hpp"
#include "wherry/core/thread_team.hpp"
#include "wherry/core/travels_as_bytes.hpp"
#include "wherry/device/field_memory.hpp"
#include "wherry/motion/array_shape.hpp"
#include "wherry/motion/grid.hpp"
#include "wherry/motion/read_only_parts.hpp"

namespace wherry {

/// How the grids of an x-array are laid out. The same on all ranks, but for `team`.
template <int N> struct x_array_options {
  halo_widths<N> ghost = 0;  ///< cells around each box of the floor plan that its grid has besides
  centring<N> on{};          ///< the values on the planes of the boxes' cells: their nodes, faces, edges
  layout<N> order = fortran_layout<N>();
  int components = 1;
  /// Lengthen rows where their size would make neighbouring rows compete for the same cache sets.
  bool pad_rows = true;
  std::string name{};
  /// The threads that will work on it, each on its part of this rank's grids, in their order (OpenMP's static
  /// schedule): each gets its pages near its core. Each rank's own.
  thread_team team{};
  /// `device`: in the memory of the device in use (wherry/device/device.hpp), where the host may not touch its
  /// elements.
  memory_space space = memory_space::node_shared;
};

/// One grid that lives on this rank.
template <class T, int N> struct local_block {
  int number;              ///< in the floor plan
  box<N> cells;            ///< its box without ghost cells; of values on planes `values_of` it, with the last plane
  grid_view<T, N> values;  ///< over these and the ghost cells around them
};

/// One grid a box of a floor plan, each present only on its owner, which may own none or many. In node-shared memory,
/// so that ranks of the node can read it in place, on a device, or over memory of the user's. Movable, not copyable. A
/// const one is read-only: motions may begin there, and not end.
template <class T, int N> class x_array {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  using element_type = T;
  static constexpr int dimensions = N;

  /// Local; zero-filled. Called by all ranks that own boxes, with the same options.
  /// @throws error(argument) for owners beyond the communicator, negative ghost widths or components, an order that is
  ///         no permutation; error(resource) when the node-shared memory is exhausted.
  x_array(const communicator& comm, const floor_plan<N>& plan, const x_array_options<N>& how = {});

  /// Over memory of the user's: one grid a box of this rank, in the order of `plan.owned_by(rank)`. Each must cover its
  /// box and the ghost cells, and outlive the x-array.
  /// @throws error(argument) as above, and for another number of grids, or one that is null or too small.
  x_array(const communicator& comm, const floor_plan<N>& plan, std::span<const grid_view<T, N>> grids,
          const x_array_options<N>& how = {});

  /// Afterwards every call for the array that was moved from throws error(state).
  x_array(x_array&&) noexcept = default;
  x_array& operator=(x_array&&) noexcept = default;

  /// The grids that live here, ascending by number: KeLP's node iterator.
  ///     for (const auto& [number, cells, values] : u.blocks()) relax(values, cells);
  std::span<const local_block<T, N>> blocks() { return live().blocks_; }
  read_only_parts<local_block<T, N>, local_block<const T, N>> blocks() const {
    return read_only_parts<local_block<T, N>, local_block<const T, N>>(live().blocks_);
  }

  bool is_local(int number) const { return shape().find(number) != nullptr; }
  /// A grid of this rank. @throws error(argument) when it lives elsewhere.
  const grid_view<T, N>& operator[](int number) { return find(number); }
  grid_view<const T, N> operator[](int number) const { return find(number); }

  const floor_plan<N>& floor() const { return *shape().plan; }
  /// The same floor plan in another partial view: what `resolve` has found for another motion. Local; nothing moves,
  /// and movers made before stay good.
  /// @throws error(argument) when it is of another size or has other boxes on this rank.
  void adopt(const floor_plan<N>& plan);
  const communicator& comm() const { return live().comm_; }
  /// Types erased.
  const detail::array_shape<N>& shape() const { return live().shape_; }
  /// The pieces of memory that hold the grids: one for memory of ours, one a grid for the user's.
  /// For movers, which write only to those that are not const.
  std::span<void* const> memory() const { return detail::list_of(live().pointers_); }

 private:
  const x_array& live() const {
    if (shape_.plan == nullptr) detail::throw_moved_from("x_array");
    return *this;
  }
  void lay_out(const floor_plan<N>& plan, const x_array_options<N>& how);
  const grid_view<T, N>& find(int number) const;

  communicator comm_;
  detail::array_shape<N> shape_;
  node_memory memory_;
  std::vector<void*> pointers_;
  std::vector<local_block<T, N>> blocks_;
};

}  // namespace wherry

template <class T, int N>
wherry::x_array<T, N>::x_array(const communicator& comm, const floor_plan<N>& plan, const x_array_options<N>& how)
    : comm_(comm) {
  lay_out(plan, how);
  detail::place_grids(shape_, comm.rank(), how.pad_rows);
  memory_ =
      field_memory(comm, static_cast<std::size_t>(detail::most<index_t>(1, shape_.bytes.front())), how.space, how.team);
  shape_.space = memory_.space();
  pointers_ = {memory_.data()};
  shape_.fingerprint = fingerprint_of(shape_);
  for (const auto& g : shape_.grids) {
    point<N> strides = g.strides;
    for (auto& s : strides) s /= shape_.element;
    blocks_.push_back({g.number,
                       shape_.core(g.number),
                       {reinterpret_cast<T*>(memory_.data() + g.offset), g.whole, strides, how.components,
                        g.component_stride / shape_.element}});
  }
}

template <class T, int N>
wherry::x_array<T, N>::x_array(const communicator& comm, const floor_plan<N>& plan,
                               std::span<const grid_view<T, N>> grids, const x_array_options<N>& how)
    : comm_(comm) {
  lay_out(plan, how);
  const auto mine = plan.owned_by(comm.rank());
  if (mine.size() != grids.size())
    throw error(error_kind::argument, "x_array",
                detail::text(grids.size(), " grids were given, the rank owns ", mine.size(), " boxes"), comm.rank());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const auto& g = grids[i];
    if (!g.cells().contains(shape_.whole(mine[i])) || g.components() != how.components)
      throw error(error_kind::argument, "x_array",
                  detail::text("grid ", i, " does not cover box ", mine[i], " and its ghost cells, or has ",
                               g.components(), " components for ", how.components),
                  comm.rank());
    if (g.data() == nullptr && !g.cells().empty())
      throw error(error_kind::argument, "x_array", detail::text("grid ", i, ", of box ", mine[i], ", is null"),
                  comm.rank());
    detail::placed_grid<N> placed{mine[i], static_cast<int>(i), 0, g.cells(), g.strides(), g.component_stride()};
    const checked stride{"x_array", "stride in bytes", comm.rank()};
    for (auto& s : placed.strides) s = stride.product(s, shape_.element);
    placed.component_stride = stride.product(placed.component_stride, shape_.element);
    shape_.grids.push_back(placed);
    shape_.bytes.push_back(0);
    pointers_.push_back(const_cast<std::remove_const_t<T>*>(g.data()));
    const auto space = space_of(g.data(), how.space == memory_space::device ? how.space : memory_space::host);
    if (i > 0 && space != shape_.space)
      throw error(error_kind::argument, "x_array",
                  detail::text("grid ", i, " is in memory of the ", to_string(space), ", those before it of the ",
                               to_string(shape_.space)),
                  comm.rank());
    shape_.space = space;
    blocks_.push_back({mine[i], shape_.core(mine[i]), g});
  }
  shape_.fingerprint = fingerprint_of(shape_);
}

template <class T, int N>
void wherry::x_array<T, N>::lay_out(const floor_plan<N>& plan, const x_array_options<N>& how) {
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, "x_array", what, comm_.rank()); };
  for (int place = 0; place < plan.known(); ++place)
    if (const int owner = plan.owners()[static_cast<std::size_t>(place)]; owner >= comm_.size())
      fail(detail::text("box ", plan.number_of(place), " has owner ", owner, " of a communicator of ", comm_.size()));
  if (!how.order.is_permutation()) fail("the order is not a permutation of the dimensions");
  if (how.components < 1) fail(detail::text("there are ", how.components, " components"));
  for (std::size_t d = 0; d < N; ++d)
    if (detail::least(how.ghost.minus[d], how.ghost.plus[d]) < 0)
      fail(detail::text("dimension ", d, " has ghost widths ", how.ghost.minus[d], " and ", how.ghost.plus[d]));
  shape_.plan = std::make_shared<const floor_plan<N>>(plan);
  shape_.ghost = how.ghost;
  shape_.on = how.on;
  shape_.order = how.order;
  shape_.element = static_cast<index_t>(sizeof(T));
  shape_.type = element_of<T>();
  shape_.components = how.components;
  shape_.name = how.name;
}

template <class T, int N> const wherry::grid_view<T, N>& wherry::x_array<T, N>::find(int number) const {
  const auto* placed = shape().find(number);
  if (placed == nullptr)
    throw error(error_kind::argument, "x_array",
                detail::text("grid ", number, " was asked for, which is not on this rank"), comm_.rank());
  return blocks_[static_cast<std::size_t>(placed - shape_.grids.data())].values;
}

template <class T, int N> void wherry::x_array<T, N>::adopt(const floor_plan<N>& plan) {
  const auto mine = plan.owned_by(comm_.rank());
  bool same = plan.size() == floor().size() && mine.size() == blocks_.size();
  for (std::size_t i = 0; same && i < mine.size(); ++i)
    same = mine[i] == blocks_[i].number && plan[mine[i]] == (*shape_.plan)[mine[i]];
  if (!same)
    throw error(error_kind::argument, "x_array", "the floor plan to adopt has other boxes on this rank", comm_.rank());
  shape_.plan = std::make_shared<const floor_plan<N>>(plan);
}
