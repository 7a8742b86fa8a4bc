#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/halo/process_grid.hpp"

namespace wherry {
namespace {

/// The number of pairs (rank of a brick, direction) with a neighbour on another node.
std::int64_t surface(const std::vector<int>& brick, const std::vector<int>& extents,
                     const std::vector<bool>& periodic) {
  std::int64_t ranks = 1, all = 0;
  for (const int b : brick) ranks *= b;
  for (std::size_t d = 0; d < brick.size(); ++d)
    if (extents[d] > brick[d]) all += ranks / brick[d] * (periodic[d] || extents[d] > 2 * brick[d] ? 2 : 1);
  return all;
}

}  // namespace

detail::rank_placement::rank_placement(std::vector<int> extents, std::vector<int> brick, bool columns)
    : extents_(std::move(extents)), brick_(std::move(brick)), columns_(columns) {
  const auto fail = [](std::string_view what) { throw error(error_kind::argument, "rank_placement", what); };
  if (brick_.empty()) brick_.assign(extents_.size(), 1);
  if (brick_.size() != extents_.size() || extents_.size() > max_halo_dimensions)
    fail(detail::text("'extents' has ", extents_.size(), " entries and 'brick' ", brick_.size(),
                      ", expected equally many and at most ", max_halo_dimensions));
  for (std::size_t d = 0; d < extents_.size(); ++d)
    if (extents_[d] < 1 || brick_[d] < 1 || extents_[d] % brick_[d] != 0)
      fail(detail::text("bricks of ", brick_[d], " ranks do not divide the extent ", extents_[d], " of dimension ", d));
}

detail::rank_placement detail::rank_placement::in_rows(std::vector<int> extents, std::vector<int> brick) {
  return {std::move(extents), std::move(brick), false};
}
detail::rank_placement detail::rank_placement::in_columns(std::vector<int> extents) {
  return {std::move(extents), {}, true};
}

int detail::rank_placement::size() const {
  return std::accumulate(extents_.begin(), extents_.end(), 1, std::multiplies<>{});
}

std::array<int, max_halo_dimensions> detail::rank_placement::coordinates(int rank) const {
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

int detail::rank_placement::rank_at(const std::array<int, max_halo_dimensions>& at) const {
  int node = 0, inside = 0, node_ranks = 1;
  for (std::size_t place = 0; place < extents_.size(); ++place) {
    const auto d = dimension(place);
    node = node * (extents_[d] / brick_[d]) + at[d] / brick_[d];
    inside = inside * brick_[d] + at[d] % brick_[d];
    node_ranks *= brick_[d];
  }
  return node * node_ranks + inside;
}

std::vector<int> detail::node_brick(const std::vector<int>& extents, const std::vector<bool>& periodic, int ranks) {
  std::vector<int> best(extents.size(), 1), brick(extents.size(), 1);
  std::int64_t fewest = -1;
  const auto choose = [&](auto& self, std::size_t dimension, int left) -> void {
    if (dimension == extents.size()) {
      const auto outside = surface(brick, extents, periodic);
      if (left != 1 || (fewest >= 0 && outside >= fewest)) return;
      fewest = outside;
      best = brick;
      return;
    }
    for (int b = 1; b <= std::min(left, extents[dimension]); ++b)
      if (left % b == 0 && extents[dimension] % b == 0) {
        brick[dimension] = b;
        self(self, dimension + 1, left / b);
      }
  };
  choose(choose, 0, ranks);
  if (best == extents) best.assign(extents.size(), 1);  // all ranks are on one node, so bricks gain nothing
  return best;
}

}  // namespace wherry
