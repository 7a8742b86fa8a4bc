/// @file
/// X-arrays: distributed arrays with one grid for each box of a floor plan (KeLP's XArray; KeLP, section 2).
///
///     wherry::x_array<double, 3> u(comm, plan, {.ghost_width = 1});
///     for (const auto& [number, cells, values] : u.blocks()) relax(values, cells);
///
/// A block is what a rank has of a box of the floor plan: the box's number, its cells (with values on planes, its
/// values), and its grid, which is the memory of these and of the ghost cells around them.
///
/// Movers (mover.hpp) and `ghost_filler` (blocks/ghost_filler.hpp) move values between x-arrays. If each rank has one
/// box of a regular grid, `field` with `halo_exchange` is simpler. For sets of points other than boxes use
/// `index_array`.
#pragma once

#include <cstddef>
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

/// Options of an x-array. All but `team` must be the same on all ranks.
template <int N> struct x_array_options {
  halo_widths<N> ghost_width = 0;  ///< widths of the layers of ghost cells around each box
  wherry::centring<N> centring{};  ///< where the values sit: in the cells, or on their nodes, faces or edges
  wherry::layout<N> layout = fortran_layout<N>();  ///< of each grid in memory
  int components = 1;
  /// Lengthens rows if neighbouring rows would otherwise compete for the same cache sets.
  bool pad_rows = true;
  std::string name{};
  /// The threads that will work on the grids. This rank's grids, in their order, are divided among the threads as by
  /// OpenMP's static schedule, and each thread's pages are placed near its core. May differ between ranks.
  thread_team team{};
  /// Where the values are. With `device` they are in the memory of the device in use (wherry/device/device.hpp), and
  /// the host may not touch them.
  memory_space space = memory_space::node_shared;
  detail::run_time_element element{};  ///< only of an `x_array<std::byte, N>`
};

namespace detail {

/// One grid of this rank.
template <class T, int N> struct local_block {
  int number;              ///< the box's number in the floor plan
  box<N> core;             ///< the box's values without ghost cells: `values_of(box, centring)`
  grid_view<T, N> values;  ///< the grid's values, ghost cells included
};

}  // namespace detail

/// A distributed array with one grid for each box of a floor plan. A grid is on its box's owner only; a rank may own
/// any number of boxes. The grids are in node-shared memory, so that the ranks of a node can read them in place, on a
/// device, or in memory of the user. An x-array is movable, not copyable. A const one is read-only: it may be a mover's
/// source but not its destination.
template <class T, int N> class x_array {
 public:
  static_assert(travels_as_bytes<T>,
                "an element is its bytes: trivially copyable, or wherry::travels_as_bytes says so");
  using element_type = T;
  using local_block = detail::local_block<T, N>;
  static constexpr int dimensions = N;

  /// Allocates this rank's grids, filled with zeros. Local; all ranks pass the same options and the same floor plan,
  /// which may be partial.
  /// @throws error(argument) for an owner beyond the communicator, a negative ghost width, fewer than 1 component, or
  ///         a layout that is not a permutation; error(resource) if the memory is exhausted.
  x_array(const communicator& comm, const floor_plan<N>& plan, const x_array_options<N>& options = {});

  /// Uses the user's memory, which must outlive the x-array. Local.
  /// @param grids one for each box of this rank, in the order of `plan.owned_by(rank)`; each must contain its box and
  ///        the ghost cells
  /// @throws error(argument) as the other constructor, for another number of grids, for a grid that is null, too small
  ///         or has other components, and for grids in different memory spaces.
  x_array(const communicator& comm, const floor_plan<N>& plan, std::span<const grid_view<T, N>> grids,
          const x_array_options<N>& options = {});

  /// Every later call for the array that is moved from throws error(state).
  x_array(x_array&&) noexcept = default;
  x_array& operator=(x_array&&) noexcept = default;

  /// The grids of this rank, ascending by number (KeLP's node iterator).
  std::span<const local_block> blocks() { return live().blocks_; }
  detail::read_only_parts<local_block, detail::local_block<const T, N>> blocks() const {
    return detail::read_only_parts<local_block, detail::local_block<const T, N>>(live().blocks_);
  }

  bool owns(int number) const { return shape().find(number) != nullptr; }
  /// The values of a grid of this rank. @throws error(argument) if the grid is on another rank.
  const grid_view<T, N>& operator[](int number) { return find(number); }
  grid_view<const T, N> operator[](int number) const { return find(number); }

  const floor_plan<N>& plan() const { return *shape().plan; }
  /// Replaces the floor plan by one that knows other neighbours, such as `resolve` returns for another motion. Local;
  /// no data moves, and existing movers stay valid.
  /// @throws error(argument) if the plan has another size or other boxes on this rank.
  void adopt(const floor_plan<N>& plan);
  const communicator& comm() const { return live().comm_; }
  /// The array's shape without its element type, for movers.
  const detail::array_shape<N>& shape() const { return live().shape_; }
  /// The pieces of memory that hold the grids: one if the x-array allocated them, one for each grid if the user did.
  /// The pointers are not const because movers use them; a mover never writes to a const x-array.
  std::span<void* const> memory() const { return detail::list_of(live().pointers_); }

 private:
  const x_array& live() const {
    if (shape_.plan == nullptr) detail::throw_moved_from("x_array");
    return *this;
  }
  void lay_out(const floor_plan<N>& plan, const x_array_options<N>& options);
  const grid_view<T, N>& find(int number) const;

  static constexpr auto unit = static_cast<index_t>(sizeof(T));  // of the strides of `blocks_`, in bytes

  communicator comm_;
  detail::array_shape<N> shape_;
  node_memory memory_;
  std::vector<void*> pointers_;
  std::vector<local_block> blocks_;
};

}  // namespace wherry

template <class T, int N>
wherry::x_array<T, N>::x_array(const communicator& comm, const floor_plan<N>& plan, const x_array_options<N>& options)
    : comm_(comm) {
  lay_out(plan, options);
  detail::place_grids(shape_, comm.rank(), options.pad_rows);
  memory_ = detail::field_memory(comm, static_cast<std::size_t>(detail::most<index_t>(1, shape_.bytes.front())),
                                 options.space, options.team);
  shape_.space = memory_.space();
  pointers_ = {memory_.data()};
  shape_.fingerprint = fingerprint_of(shape_);
  for (const auto& g : shape_.grids) {
    point<N> strides = g.strides;
    for (auto& s : strides) s /= unit;
    blocks_.push_back({g.number,
                       shape_.core(g.number),
                       {reinterpret_cast<T*>(memory_.data() + g.offset), g.whole, strides, options.components,
                        g.component_stride / unit}});
  }
}

template <class T, int N>
wherry::x_array<T, N>::x_array(const communicator& comm, const floor_plan<N>& plan,
                               std::span<const grid_view<T, N>> grids, const x_array_options<N>& options)
    : comm_(comm) {
  lay_out(plan, options);
  const auto mine = plan.owned_by(comm.rank());
  if (mine.size() != grids.size())
    throw error(error_kind::argument, "x_array",
                detail::text(grids.size(), " grids were given, but the rank owns ", mine.size(), " boxes"),
                comm.rank());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const auto& g = grids[i];
    if (!g.cells().contains(shape_.whole(mine[i])) || g.components() != options.components)
      throw error(error_kind::argument, "x_array",
                  detail::text("grid ", i, " does not cover box ", mine[i], " and its ghost cells, or has ",
                               g.components(), " components, expected ", options.components),
                  comm.rank());
    if (g.data() == nullptr && !g.cells().empty())
      throw error(error_kind::argument, "x_array", detail::text("grid ", i, ", of box ", mine[i], ", is null"),
                  comm.rank());
    detail::placed_grid<N> placed{mine[i], static_cast<int>(i), 0, g.cells(), g.strides(), g.component_stride()};
    const detail::checked stride{"x_array", "stride in bytes", comm.rank()};
    for (auto& s : placed.strides) s = stride.product(s, unit);
    placed.component_stride = stride.product(placed.component_stride, unit);
    shape_.grids.push_back(placed);
    shape_.bytes.push_back(0);
    pointers_.push_back(const_cast<std::remove_const_t<T>*>(g.data()));
    const auto space =
        detail::space_of(g.data(), options.space == memory_space::device ? options.space : memory_space::host);
    if (i > 0 && space != shape_.space)
      throw error(error_kind::argument, "x_array",
                  detail::text("grid ", i, " is in memory of the ", to_string(space),
                               ", but the grids before it are in memory of the ", to_string(shape_.space)),
                  comm.rank());
    shape_.space = space;
    blocks_.push_back({mine[i], shape_.core(mine[i]), g});
  }
  shape_.fingerprint = fingerprint_of(shape_);
}

template <class T, int N>
void wherry::x_array<T, N>::lay_out(const floor_plan<N>& plan, const x_array_options<N>& options) {
  const auto fail = [&](std::string_view what) { throw error(error_kind::argument, "x_array", what, comm_.rank()); };
  for (int place = 0; place < plan.known(); ++place)
    if (const int owner = plan.owners()[static_cast<std::size_t>(place)]; owner >= comm_.size())
      fail(detail::text("box ", plan.number_of(place), " has owner ", owner, " of a communicator of ", comm_.size(),
                        " ranks"));
  if (!options.layout.is_permutation()) fail("'layout' is not a permutation of the dimensions");
  if (options.components < 1) fail(detail::text("'components' is ", options.components, ", expected 1 or more"));
  for (std::size_t d = 0; d < N; ++d)
    if (detail::least(options.ghost_width.minus[d], options.ghost_width.plus[d]) < 0)
      fail(detail::text("dimension ", d, " has ghost widths ", options.ghost_width.minus[d], " and ",
                        options.ghost_width.plus[d], ", expected 0 or more"));
  shape_.plan = std::make_shared<const floor_plan<N>>(plan);
  shape_.ghost_width = options.ghost_width;
  shape_.centring = options.centring;
  shape_.layout = options.layout;
  shape_.element = static_cast<index_t>(sizeof(T));
  shape_.type = plans::element_of<T>();
  if constexpr (std::is_same_v<std::remove_const_t<T>, std::byte>)
    if (options.element.bytes > 0) {
      shape_.element = options.element.bytes;
      shape_.type = options.element.type;
    }
  shape_.components = options.components;
  shape_.name = options.name;
}

template <class T, int N> const wherry::grid_view<T, N>& wherry::x_array<T, N>::find(int number) const {
  const auto* placed = shape().find(number);
  if (placed == nullptr)
    throw error(error_kind::argument, "x_array", detail::text("grid ", number, " is not on this rank"), comm_.rank());
  return blocks_[static_cast<std::size_t>(placed - shape_.grids.data())].values;
}

template <class T, int N> void wherry::x_array<T, N>::adopt(const floor_plan<N>& plan) {
  const auto mine = plan.owned_by(comm_.rank());
  bool same = plan.size() == this->plan().size() && mine.size() == blocks_.size();
  for (std::size_t i = 0; same && i < mine.size(); ++i)
    same = mine[i] == blocks_[i].number && plan[mine[i]] == (*shape_.plan)[mine[i]];
  if (!same)
    throw error(error_kind::argument, "x_array", "'plan' gives this rank other boxes than the array has", comm_.rank());
  shape_.plan = std::make_shared<const floor_plan<N>>(plan);
}
