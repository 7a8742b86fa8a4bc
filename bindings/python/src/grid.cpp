#include "grid.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "wherry/geometry/box.hpp"
#include "wherry/halo/process_grid.hpp"

#include "arrays.hpp"
#include "errors.hpp"

namespace wherry_python {
namespace {

using numbers = std::vector<wherry::index_t>;

template <int N> wherry::point<N> point_of(const numbers& given) {
  wherry::point<N> result{};
  for (std::size_t d = 0; d < N; ++d) result[d] = given[d];
  return result;
}
template <int N> std::pair<numbers, numbers> corners(const wherry::box<N>& of) {
  return {numbers(of.lower.begin(), of.lower.end()), numbers(of.upper.begin(), of.upper.end())};
}

wherry::rank_order order_named(const std::string& name) {
  if (name == "rows") return wherry::rank_order::rows;
  if (name == "columns") return wherry::rank_order::columns;
  if (name == "node_bricks") return wherry::rank_order::node_bricks;
  refuse("grid", "'order' is '", name, "', expected 'rows', 'columns' or 'node_bricks'");
}

std::pair<numbers, numbers> owned(const wherry::process_grid& grid, const numbers& cells) {
  return with_dimensions(cells.size(), "grid",
                         [&]<int N>() { return corners<N>(wherry::owned_box<N>(grid, point_of<N>(cells))); });
}
int owner(const wherry::process_grid& grid, const numbers& cell, const numbers& cells) {
  if (cell.size() != cells.size())
    refuse("owner_of", "'cell' has ", cell.size(), " indices, but the grid has ", cells.size(), " dimensions");
  return with_dimensions(cells.size(), "owner_of",
                         [&]<int N>() { return grid.owner_of(point_of<N>(cell), point_of<N>(cells)); });
}
/// The owners of many cells, given as rows of 8-byte integers one behind the other.
void owners(const wherry::process_grid& grid, nb::handle given, const numbers& cells, nb::handle into) {
  const held_array from(given, false, "owners_of", "'cells'"), to(into, true, "owners_of", "the result");
  const auto count = static_cast<std::size_t>(to.shape("owners_of", "the result").extents[0]);
  const auto* const all = reinterpret_cast<const std::int64_t*>(from.data());
  auto* const ranks = reinterpret_cast<int*>(to.data());
  const nb::gil_scoped_release others_run;
  with_dimensions(cells.size(), "owners_of", [&]<int N>() {
    const auto extents = point_of<N>(cells);
    for (std::size_t i = 0; i < count; ++i) {
      wherry::point<N> cell;
      for (std::size_t d = 0; d < N; ++d) cell[d] = all[i * N + d];
      ranks[i] = grid.owner_of(cell, extents);
    }
  });
}
/// The box of any rank; empty for one outside the grid.
std::pair<numbers, numbers> box_of_rank(const wherry::process_grid& grid, int rank, const numbers& cells) {
  if (rank < 0 || rank >= grid.comm().size())
    refuse("box_of", "'rank' is ", rank, ", expected 0 to ", grid.comm().size() - 1);
  numbers lower(cells.size()), upper(cells.size());
  if (!grid.contains(rank)) return {lower, upper};
  const auto at = grid.coordinates(rank);
  for (std::size_t d = 0; d < cells.size(); ++d) {
    // As `owned_box` divides: the first pieces have one cell more.
    const wherry::index_t pieces = d < grid.extents().size() ? grid.extents()[d] : 1;
    const wherry::index_t place = d < grid.extents().size() ? at[d] : 0;
    const auto each = cells[d] / pieces, more = cells[d] % pieces;
    lower[d] = place * each + (place < more ? place : more);
    upper[d] = lower[d] + each + (place < more ? 1 : 0);
  }
  return {lower, upper};
}

}  // namespace

void bind_grid(nb::module_& m) {
  nb::class_<wherry::process_grid>(m, "ProcessGrid")
      .def(
          "__init__",
          [](wherry::process_grid* self, const wherry::communicator& comm, std::vector<bool> periodic,
             std::vector<int> ranks, const std::string& order) {
            require_no_child("grid");
            const wherry::process_grid_options options{
                .periodic = std::move(periodic), .extents = std::move(ranks), .order = order_named(order)};
            const nb::gil_scoped_release others_run;
            new (self) wherry::process_grid(comm, options);
          },
          nb::arg("comm"), nb::arg("periodic"), nb::arg("ranks"), nb::arg("order"))
      .def_prop_ro("ranks", [](const wherry::process_grid& self) { return self.extents(); })
      .def_prop_ro("brick", [](const wherry::process_grid& self) { return self.brick(); })
      .def("coordinates",
           [](const wherry::process_grid& self, int rank) {
             if (!self.contains(rank)) return std::vector<int>(self.extents().size(), -1);
             const auto at = self.coordinates(rank);
             return std::vector<int>(at.begin(), at.begin() + self.dimensions());
           })
      .def("owned_box", &owned, nb::arg("cells"))
      .def("box_of", &box_of_rank, nb::arg("rank"), nb::arg("cells"))
      .def("owner_of", &owner, nb::arg("cell"), nb::arg("cells"))
      .def("owners_of", &owners, nb::arg("given"), nb::arg("cells"), nb::arg("into"));
}

}  // namespace wherry_python
