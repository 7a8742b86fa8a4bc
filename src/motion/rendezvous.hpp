// Finds boxes of different ranks that touch, although the ranks do not know of each other. Makes no MPI call.
//
// Space is cut into bins, and each bin has a home rank. Every box is announced at the homes of the bins that the grown
// box has cells in. Boxes that touch have a cell in common, so they meet at the home of its bin, which introduces them
// to each other.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry {

/// A box in the form in which ranks send it to each other.
template <int N> struct known_box {
  std::int32_t number = 0, owner = 0;
  std::int32_t side = 0, unused = 0;  ///< side: 0 or 1, the floor plan that it belongs to
  box<N> cells{};
};

/// A summary of the boxes of all ranks.
template <int N> struct box_census {
  box<N> bounds{};
  double count = 0;
  std::array<double, static_cast<std::size_t>(N)> extents{};  ///< sums over all boxes

  void add(const box<N>& cells);
};

/// The bins of space and their homes, the same on all ranks.
template <int N> class meeting_places {
 public:
  /// Chooses bins so that a bin has about as many boxes as a rank.
  meeting_places(const box_census<N>& all, const domain<N>& space, int ranks);

  /// The homes of all bins that contain cells of `cells` or of its periodic images, ascending.
  std::vector<int> homes_of(const box<N>& cells) const;

 private:
  std::vector<std::int64_t> bins_along(std::size_t d, index_t lower, index_t upper) const;

  int ranks_;
  point<N> base_{}, width_{}, bins_{};
  point<N> period_{};  // 0 along dimensions that are not periodic
};

/// The answers of a home: for each owner, the boxes of other ranks that touch one of its boxes within `reach`, each
/// once.
/// @param two_sides false: all boxes are of one floor plan (side 0); true: boxes of side 1 meet those of side 0
template <int N>
std::map<int, std::vector<known_box<N>>> introduce(std::span<const known_box<N>> present, bool two_sides,
                                                   const halo_widths<N>& reach, const domain<N>& space);

}  // namespace wherry
