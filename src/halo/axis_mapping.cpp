#include "axis_mapping.hpp"

#include <algorithm>
#include <array>

namespace wherry {

axis_mapping::axis_mapping(const process_grid& grid, int dimensions, std::vector<int> axes)
    : grid_(grid), axes_(std::move(axes)) {
  const auto fail = [&](std::string_view what) {
    throw error(error_kind::argument, "process_grid", what, grid.comm().rank());
  };
  if (dimensions < 1 || dimensions > max_halo_dimensions)
    fail(detail::text("the fields have ", dimensions, " dimensions, expected 1 to ", max_halo_dimensions));
  if (axes_.empty())
    for (int d = 0; d < dimensions; ++d) axes_.push_back(d < grid.dimensions() ? d : -1);
  if (static_cast<int>(axes_.size()) != dimensions)
    fail(detail::text("'axes' has ", axes_.size(), " entries, expected ", dimensions,
                      ", one for each dimension of the data"));
  for (int g = 0; g < grid.dimensions(); ++g) {
    const auto uses = std::count(axes_.begin(), axes_.end(), g);
    if (uses > 1 || (uses == 0 && grid.extents()[static_cast<std::size_t>(g)] > 1))
      fail(detail::text("'axes' uses grid dimension ", g, " ", uses, " times; it must occur once"));
  }
  for (const int g : axes_)
    if (g < -1 || g >= grid.dimensions())
      fail(detail::text("'axes' names grid dimension ", g, ", expected 0 to ", grid.dimensions() - 1));
}

std::vector<int> axis_mapping::pieces() const {
  std::vector<int> result;
  for (const int g : axes_) result.push_back(g < 0 ? 1 : grid_.extents()[static_cast<std::size_t>(g)]);
  return result;
}

std::vector<bool> axis_mapping::periodic() const {
  std::vector<bool> result;
  for (const int g : axes_) result.push_back(g >= 0 && grid_.periodic()[static_cast<std::size_t>(g)]);
  return result;
}

regular_floor_plan::owner_strides axis_mapping::rank_strides() const {
  regular_floor_plan::owner_strides result;
  for (std::size_t d = 0; d < axes_.size(); ++d) {
    if (axes_[d] < 0) continue;
    const auto g = static_cast<std::size_t>(axes_[d]);
    const auto rank_of = [&](int coordinate) {
      std::array<int, max_halo_dimensions> at{};
      at[g] = coordinate;
      return grid_.rank_at(at);
    };
    const int brick = grid_.brick()[g];
    result.brick[d] = brick;
    if (brick > 1) result.inside[d] = rank_of(1);
    result.between[d] = rank_of(brick % grid_.extents()[g]);
  }
  return result;
}

subdomain_coordinates axis_mapping::place_of(int rank) const {
  const auto at = grid_.coordinates(rank);
  subdomain_coordinates result{};
  for (std::size_t d = 0; d < axes_.size(); ++d)
    if (axes_[d] >= 0) result[d] = at[static_cast<std::size_t>(axes_[d])];
  return result;
}

}  // namespace wherry
