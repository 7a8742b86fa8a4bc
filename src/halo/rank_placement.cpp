#include <functional>
#include <numeric>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/halo/process_grid.hpp"

namespace wherry {

rank_placement::rank_placement(std::vector<int> extents, std::vector<int> brick, bool columns)
    : extents_(std::move(extents)), brick_(std::move(brick)), columns_(columns) {
  const auto fail = [](std::string_view what) { throw error(error_kind::argument, "rank_placement", what); };
  if (brick_.empty()) brick_.assign(extents_.size(), 1);
  if (brick_.size() != extents_.size() || extents_.size() > max_halo_dimensions)
    fail(detail::text("there are ", extents_.size(), " extents and ", brick_.size(), " of a brick, at most ",
                      max_halo_dimensions, " are possible"));
  for (std::size_t d = 0; d < extents_.size(); ++d)
    if (extents_[d] < 1 || brick_[d] < 1 || extents_[d] % brick_[d] != 0)
      fail(detail::text("bricks of ", brick_[d], " along ", extents_[d], " ranks, dimension ", d));
}

rank_placement rank_placement::in_rows(std::vector<int> extents, std::vector<int> brick) {
  return {std::move(extents), std::move(brick), false};
}
rank_placement rank_placement::in_columns(std::vector<int> extents) { return {std::move(extents), {}, true}; }

int rank_placement::size() const { return std::accumulate(extents_.begin(), extents_.end(), 1, std::multiplies<>{}); }

std::array<int, max_halo_dimensions> rank_placement::coordinates(int rank) const {
  std::array<int, max_halo_dimensions> at{};
  const int node_ranks = std::accumulate(brick_.begin(), brick_.end(), 1, std::multiplies<>{});
  int node = rank / node_ranks, inside = rank % node_ranks;
  for (std::size_t place = extents_.size(); place-- > 0;) {
    const auto d = dimension(place);
    const int bricks = extents_[d] / brick_[d];
    at[d] = node % bricks * brick_[d] + inside % brick_[d];
    node /= bricks;
    inside /= brick_[d];
  }
  return at;
}

int rank_placement::rank_at(const std::array<int, max_halo_dimensions>& at) const {
  int node = 0, inside = 0, node_ranks = 1;
  for (std::size_t place = 0; place < extents_.size(); ++place) {
    const auto d = dimension(place);
    node = node * (extents_[d] / brick_[d]) + at[d] / brick_[d];
    inside = inside * brick_[d] + at[d] % brick_[d];
    node_ranks *= brick_[d];
  }
  return node * node_ranks + inside;
}

}  // namespace wherry
