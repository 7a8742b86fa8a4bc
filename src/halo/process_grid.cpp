#include "wherry/halo/process_grid.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <span>

#include "wherry/core/checked.hpp"
#include "wherry/core/mpi.hpp"

#include "axis_mapping.hpp"
#include "core/consensus.hpp"
#include "core/terms.hpp"
#include "motion/even_cut.hpp"

namespace wherry {
namespace {

/// Takes options that the user left out from a Cartesian communicator. The private duplicate `comm` is Cartesian too.
void take_from_cartesian(MPI_Comm comm, process_grid_options& options) {
  if (!detail::is_cartesian(comm)) return;
  int dimensions = 0;
  check_mpi(PMPI_Cartdim_get(comm, &dimensions), "MPI_Cartdim_get");
  std::vector<int> extents(static_cast<std::size_t>(dimensions)), periods(extents), here(extents);
  check_mpi(PMPI_Cart_get(comm, dimensions, extents.data(), periods.data(), here.data()), "MPI_Cart_get");
  if (options.periodic.empty()) options.periodic.assign(periods.begin(), periods.end());
  if (options.extents.empty() && options.periodic.size() == extents.size()) options.extents = extents;
}

process_grid_options complete(const communicator& comm, process_grid_options options) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "process_grid", what, comm.rank());
  };
  take_from_cartesian(comm.private_handle(), options);
  if (options.periodic.empty()) options.periodic.assign(options.extents.size(), false);
  const auto dimensions = options.periodic.size();
  if (dimensions < 1 || dimensions > max_halo_dimensions)
    fail(detail::text("'periodic' has ", dimensions, " dimensions, expected 1 to ", max_halo_dimensions));
  options.extents.resize(options.extents.empty() ? dimensions : options.extents.size(), 0);
  if (options.extents.size() != dimensions)
    fail(detail::text("'extents' has ", options.extents.size(), " dimensions, and 'periodic' has ", dimensions));
  const detail::checked ranks{"process_grid", "number of ranks in the grid", comm.rank()};
  index_t fixed = 1;
  bool open = false;
  for (const int extent : options.extents) {
    if (extent < 0) fail(detail::text("'extents' has ", extent, ", expected 0 (any number) or more"));
    if (extent == 0)
      open = true;
    else
      fixed = ranks.product(fixed, index_t{extent});
  }
  if (fixed > comm.size()) fail(detail::text("'extents' need ", fixed, " ranks, but there are ", comm.size()));
  if (open) {
    if (comm.size() % fixed != 0)
      fail(detail::text("'extents' have the product ", fixed, ", which does not divide the ", comm.size(), " ranks"));
    check_mpi(PMPI_Dims_create(comm.size(), static_cast<int>(dimensions), options.extents.data()), "MPI_Dims_create");
  }
  return options;
}

/// The number of consecutive ranks on each node; 0 if nodes differ in it, or their ranks are not consecutive.
int ranks_a_node(const communicator& comm) {
  const auto& here = comm.node_ranks();
  const int count = static_cast<int>(here.size());
  bool in_a_row = here.front() % count == 0;
  for (int i = 0; i < count; ++i) in_a_row = in_a_row && here[static_cast<std::size_t>(i)] == here.front() + i;
  struct figures {
    int least, most;
  };
  const int mine = in_a_row ? count : 0;
  const figures said{mine, mine};
  const auto bytes = std::as_bytes(std::span(&said, 1));
  consensus all(comm, "process_grid");
  const auto& result =
      all.of({bytes.begin(), bytes.end()}, [](std::span<std::byte> into, std::span<const std::byte> from) {
        figures a, b;
        std::memcpy(&a, into.data(), sizeof a);
        std::memcpy(&b, from.data(), sizeof b);
        a = {std::min(a.least, b.least), std::max(a.most, b.most)};
        std::memcpy(into.data(), &a, sizeof a);
      });
  figures found;
  std::memcpy(&found, result.data(), sizeof found);
  return found.least == found.most ? found.least : 0;
}

terms terms_of(const process_grid_options& options) {
  return terms([&](auto& say) {
    say(static_cast<int>(options.order), "the order of ranks");
    say(options.extents.size(), "the number of dimensions");
    for (std::size_t d = 0; d < options.extents.size() && d < options.periodic.size(); ++d) {
      say(options.extents[d], "the extents: the number of ranks along dimension ", d);
      say(bool{options.periodic[d]}, "the periodicity of dimension ", d);
    }
  });
}

}  // namespace

process_grid::process_grid(const communicator& comm, const process_grid_options& options) : comm_(comm) {
  process_grid_options whole;
  const auto mine = detail::error_of(comm_, "process_grid", [&] { whole = complete(comm_, options); });
  agree_on(comm_, "process_grid", mine ? &*mine : nullptr, terms_of(whole));
  periodic_ = whole.periodic;
  std::vector<int> brick;
  if (whole.order == rank_order::node_bricks)
    if (const int ranks = ranks_a_node(comm_); ranks > 0) brick = detail::node_brick(whole.extents, periodic_, ranks);
  placed_ = whole.order == rank_order::columns
                ? detail::rank_placement::in_columns(std::move(whole.extents))
                : detail::rank_placement::in_rows(std::move(whole.extents), std::move(brick));
}

template <int N> box<N> owned_box(const process_grid& grid, const point<N>& cells, const std::vector<int>& axes) {
  const int rank = grid.comm().rank();
  const axis_mapping mapping(grid, N, axes);
  for (std::size_t d = 0; d < N; ++d)
    if (cells[d] < 0)
      throw error(error_kind::argument, "owned_box",
                  detail::text("dimension ", d, " has ", cells[d], " cells, expected 0 or more"), rank);
  box<N> mine;
  if (!grid.contains(rank)) return mine;
  const auto at = mapping.place_of(rank);
  const auto pieces = mapping.pieces();
  for (std::size_t d = 0; d < N; ++d) {
    mine.lower[d] = even_cut(cells[d], pieces[d], at[d]);
    mine.upper[d] = even_cut(cells[d], pieces[d], at[d] + 1);
  }
  return mine;
}

template <std::size_t N>
bool process_grid::find(const std::array<index_t, N>& cell, const std::array<index_t, N>& cells,
                        std::array<int, max_halo_dimensions>& at) const {
  at = {};
  for (std::size_t d = N; d < extents().size(); ++d)
    if (extents()[d] > 1)
      throw error(error_kind::argument, "process_grid",
                  detail::text("the cells have ", N, " dimensions, but the grid has ", extents()[d],
                               " ranks along dimension ", d),
                  comm_.rank());
  for (std::size_t d = 0; d < N; ++d) {
    if (cells[d] <= 0) return false;
    auto x = cell[d];
    if (d < periodic_.size() && periodic_[d]) x = (x % cells[d] + cells[d]) % cells[d];
    if (x < 0 || x >= cells[d]) return false;
    at[d] = static_cast<int>(even_piece(cells[d], pieces(d), x));
  }
  return true;
}

template <std::size_t N>
int process_grid::owner_of(const std::array<index_t, N>& cell, const std::array<index_t, N>& cells) const {
  std::array<int, max_halo_dimensions> at;
  return find(cell, cells, at) ? rank_at(at) : -1;
}

template <std::size_t N>
box<static_cast<int>(N)> process_grid::box_of(const std::array<index_t, N>& cell,
                                              const std::array<index_t, N>& cells) const {
  std::array<int, max_halo_dimensions> at;
  box<static_cast<int>(N)> found;
  if (!find(cell, cells, at)) return found;
  for (std::size_t d = 0; d < N; ++d) {
    found.lower[d] = even_cut(cells[d], pieces(d), at[d]);
    found.upper[d] = even_cut(cells[d], pieces(d), at[d] + 1);
  }
  return found;
}

template int process_grid::owner_of(const point<1>&, const point<1>&) const;
template int process_grid::owner_of(const point<2>&, const point<2>&) const;
template int process_grid::owner_of(const point<3>&, const point<3>&) const;
template int process_grid::owner_of(const point<4>&, const point<4>&) const;
template box<1> process_grid::box_of(const point<1>&, const point<1>&) const;
template box<2> process_grid::box_of(const point<2>&, const point<2>&) const;
template box<3> process_grid::box_of(const point<3>&, const point<3>&) const;
template box<4> process_grid::box_of(const point<4>&, const point<4>&) const;

template box<1> owned_box(const process_grid&, const point<1>&, const std::vector<int>&);
template box<2> owned_box(const process_grid&, const point<2>&, const std::vector<int>&);
template box<3> owned_box(const process_grid&, const point<3>&, const std::vector<int>&);
template box<4> owned_box(const process_grid&, const point<4>&, const std::vector<int>&);

}  // namespace wherry
