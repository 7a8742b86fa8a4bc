#include "wherry/c/grid.h"

#include <array>
#include <memory>
#include <vector>

#include "convert.hpp"
#include "objects.hpp"

namespace wherry_c {
namespace {

const wherry::process_grid& grid_of(wherry_process_grid grid, std::string_view where) {
  return object_of<wherry::process_grid>(grid, where, "grid");
}

wherry::process_grid_options grid_options(int dimensions, const wherry_process_grid_options* given,
                                          std::string_view where) {
  const auto options = options_of(given, where);
  if (dimensions < 1 || dimensions > most_halo_dimensions)
    refuse(where, "'dimensions' is ", dimensions, ", expected 1 to ", most_halo_dimensions);
  wherry::process_grid_options result;
  for (int d = 0; options.periodic != nullptr && d < dimensions; ++d)
    result.periodic.push_back(options.periodic[d] != 0);
  // Zeros say how many dimensions there are, and leave their extents open.
  for (int d = 0; d < dimensions; ++d) result.extents.push_back(options.extents == nullptr ? 0 : options.extents[d]);
  switch (options.order) {
    case WHERRY_ORDER_ROWS:
      result.order = wherry::rank_order::rows;
      return result;
    case WHERRY_ORDER_COLUMNS:
      result.order = wherry::rank_order::columns;
      return result;
    case WHERRY_ORDER_NODE_BRICKS:
      result.order = wherry::rank_order::node_bricks;
      return result;
  }
  refuse(where, "'options.order' is ", options.order, ", which does not exist");
}

std::vector<int> axes_of(const int* axes, int dimensions) {
  return axes == nullptr ? std::vector<int>{} : std::vector<int>(axes, axes + dimensions);
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_process_grid_create(wherry_communicator comm, int dimensions,
                                         const wherry_process_grid_options* options, wherry_process_grid* result) {
  constexpr auto where = "wherry_process_grid_create";
  return creating(result, where, [&] {
    const auto& ours = object_of<wherry::communicator>(comm, where, "comm");
    wherry::process_grid_options wanted;
    wherry::detail::collectively(ours, where, [&] {
      require_result(result, where, "result");
      wanted = grid_options(dimensions, options, where);
    });
    return std::make_shared<wherry::process_grid>(ours, wanted);
  });
}
wherry_status wherry_process_grid_free(wherry_process_grid* grid) {
  constexpr auto where = "wherry_process_grid_free";
  return guarded(where, [&] { free_handle<wherry::process_grid>(grid, where, "grid"); });
}

wherry_status wherry_process_grid_dimensions(wherry_process_grid grid, int* dimensions) {
  constexpr auto where = "wherry_process_grid_dimensions";
  return guarded(where, [&] {
    require_result(dimensions, where, "dimensions");
    *dimensions = grid_of(grid, where).dimensions();
  });
}
wherry_status wherry_process_grid_shape(wherry_process_grid grid, int* extents, int* periodic) {
  constexpr auto where = "wherry_process_grid_shape";
  return guarded(where, [&] {
    const auto& ours = grid_of(grid, where);
    for (std::size_t d = 0; d < ours.extents().size(); ++d) {
      if (extents != nullptr) extents[d] = ours.extents()[d];
      if (periodic != nullptr) periodic[d] = ours.periodic()[d];
    }
  });
}
wherry_status wherry_process_grid_coordinates(wherry_process_grid grid, int rank, int* coordinates) {
  constexpr auto where = "wherry_process_grid_coordinates";
  return guarded(where, [&] {
    const auto& ours = grid_of(grid, where);
    require_result(coordinates, where, "coordinates");
    if (rank < 0 || rank >= ours.comm().size())
      refuse(where, "'rank' is ", rank, " of a communicator of ", ours.comm().size(), " ranks");
    std::array<int, most_halo_dimensions> at{};
    at.fill(-1);
    if (ours.contains(rank)) at = ours.coordinates(rank);
    for (int d = 0; d < ours.dimensions(); ++d) coordinates[d] = at[static_cast<std::size_t>(d)];
  });
}
wherry_status wherry_process_grid_rank_at(wherry_process_grid grid, const int* coordinates, int* rank) {
  constexpr auto where = "wherry_process_grid_rank_at";
  return guarded(where, [&] {
    const auto& ours = grid_of(grid, where);
    require_result(coordinates, where, "coordinates");
    require_result(rank, where, "rank");
    *rank = -1;
    std::array<int, most_halo_dimensions> at{};
    for (std::size_t d = 0; d < ours.extents().size(); ++d) {
      const int places = ours.extents()[d], wanted = coordinates[d];
      if (!ours.periodic()[d] && (wanted < 0 || wanted >= places)) return;
      at[d] = (wanted % places + places) % places;
    }
    *rank = ours.rank_at(at);
  });
}

wherry_status wherry_owned_box(wherry_process_grid grid, int dimensions, const int64_t* cells, const int* axes,
                               wherry_box* result) {
  constexpr auto where = "wherry_owned_box";
  return guarded(where, [&] {
    const auto& ours = grid_of(grid, where);
    require_result(cells, where, "cells");
    require_result(result, where, "result");
    with_dimensions<most_halo_dimensions>(dimensions, where, [&]<int N>() {
      *result = box_of<N>(wherry::owned_box<N>(ours, point_of<N>(cells), axes_of(axes, N)));
    });
  });
}
wherry_status wherry_owner_of(wherry_process_grid grid, int dimensions, const int64_t* cell, const int64_t* cells,
                              int* rank) {
  constexpr auto where = "wherry_owner_of";
  return guarded(where, [&] {
    const auto& ours = grid_of(grid, where);
    require_result(cell, where, "cell");
    require_result(cells, where, "cells");
    require_result(rank, where, "rank");
    with_dimensions<most_halo_dimensions>(
        dimensions, where, [&]<int N>() { *rank = ours.owner_of(point_of<N>(cell), point_of<N>(cells)); });
  });
}
}
