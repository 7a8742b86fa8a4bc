// Where boxes of different ranks meet that do not know of each other. Pure; no MPI.
//
// Space is cut into bins, each of which is at home on some rank. Every box is announced at the homes of the bins that
// it, grown, has cells in. Boxes that touch have a cell in common, and so meet at its home, which introduces them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "wherry/geometry/domain.hpp"
#include "wherry/geometry/halo_widths.hpp"

namespace wherry {

/// A box as it travels between ranks.
template <int N> struct known_box {
  std::int32_t number = 0, owner = 0;
  std::int32_t side = 0, unused = 0;  ///< which of two floor plans it belongs to
  box<N> cells{};
};

/// All boxes of all ranks, in a few numbers.
template <int N> struct box_census {
  box<N> bounds{};
  double count = 0;
  std::array<double, static_cast<std::size_t>(N)> extents{};  ///< sums

  void add(const box<N>& cells);
};

/// The bins of space and their homes: the same on all ranks.
template <int N> class meeting_places {
 public:
  /// About as many boxes a bin as boxes a rank.
  meeting_places(const box_census<N>& all, const domain<N>& space, int ranks);

  /// The homes of all bins that have cells of `cells`, or of its periodic images; ascending.
  std::vector<int> homes_of(const box<N>& cells) const;

 private:
  std::vector<std::int64_t> bins_along(std::size_t d, index_t lower, index_t upper) const;

  int ranks_;
  point<N> base_{}, width_{}, bins_{};
  point<N> period_{};  // 0: open
};

/// What one home tells each owner: the boxes of others that touch one of its own within `reach`, each once. Boxes are
/// of one floor plan (all of side 0), or those of side 1 look for those of side 0.
template <int N>
std::map<int, std::vector<known_box<N>>> introduce(std::span<const known_box<N>> present, bool two_sides,
                                                   const halo_widths<N>& reach, const domain<N>& space);

}  // namespace wherry
