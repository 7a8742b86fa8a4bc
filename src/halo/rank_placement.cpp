#include <functional>
#include <numeric>
#include <utility>

#include "wherry/halo/process_grid.hpp"

namespace wherry {

rank_placement::rank_placement(std::vector<int> extents, std::vector<int> brick, rank_order order)
    : extents_(std::move(extents)), brick_(std::move(brick)), columns_(order == rank_order::columns) {
  brick_.resize(extents_.size(), 1);
}

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
