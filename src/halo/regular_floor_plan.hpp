// The floor plan of a regular grid, which nobody lists. A pure value; no MPI.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "wherry/geometry/point.hpp"
#include "wherry/halo/descriptor.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// Coordinates of a subdomain; unused dimensions are 0.
using subdomain_coordinates = std::array<int, max_halo_dimensions>;

/// Each axis is cut into pieces of their own sizes, some of which may be empty. Neighbours are the nearest pieces that
/// are not empty, around the edge where the axis is periodic. A subdomain's number is that of its box in a floor plan.
/// A handle: copies share one table.
class regular_floor_plan {
 public:
  /// @param sizes cells of each piece, for each axis (1 to 4 axes)
  /// @param periodic one a axis
  /// @throws error(argument) for no axes, too many, an axis without pieces, a negative size.
  regular_floor_plan(std::vector<std::vector<index_t>> sizes, std::vector<bool> periodic);

  int dimensions() const { return static_cast<int>(axes_->size()); }
  int pieces(int axis) const { return static_cast<int>(at(axis).sizes.size()); }
  bool periodic(int axis) const { return at(axis).periodic; }
  /// Cells of the whole axis.
  index_t cells(int axis) const { return at(axis).first.back(); }
  index_t size(int axis, int piece) const { return at(axis).sizes[static_cast<std::size_t>(piece)]; }
  /// Global index of a piece's first cell.
  index_t first(int axis, int piece) const { return at(axis).first[static_cast<std::size_t>(piece)]; }
  int subdomains() const;

  /// The piece next to `piece` in direction -1 or +1, or -1 at an edge that is not periodic. Constant time.
  int neighbor(int axis, int piece, int direction) const;
  /// True where the only neighbour of every piece along this axis is the piece itself.
  bool wraps_to_itself(int axis) const;

  /// Number of a subdomain. Axis 0 counts fastest.
  int number(const subdomain_coordinates& at) const;
  subdomain_coordinates coordinates(int number) const;
  bool empty(const subdomain_coordinates& at) const;
  template <int N> box<N> box_at(const subdomain_coordinates& at) const;

  /// Which rank owns a subdomain. Unless set otherwise its number is the rank.
  int owner(int number) const { return owner_at(number, coordinates(number)); }
  /// The same of a subdomain whose coordinates are known, too.
  int owner_at(int number, const subdomain_coordinates& at) const;
  /// One subdomain a rank, placed by strides: the owner is the sum of coordinate × stride. Needs no table.
  void set_owners_by_stride(const std::array<int, max_halo_dimensions>& strides) {
    strides_ = {};
    strides_.between = strides;
  }
  /// The same in bricks: of so many coordinates of an axis each, with strides of their own inside.
  struct owner_strides {
    std::array<int, max_halo_dimensions> between{}, inside{}, brick{1, 1, 1, 1};
    bool operator==(const owner_strides&) const = default;
  };
  void set_owners_in_bricks(const owner_strides& strides) { strides_ = strides; }

  /// Whether this is a copy of the other one, or it of this.
  bool shares_with(const regular_floor_plan& other) const { return axes_ == other.axes_ && strides_ == other.strides_; }

  /// How often a neighbour, a size or an owner was looked up: the tests count that a rank's plan costs a constant.
  static std::size_t lookups() { return lookups_; }

 private:
  struct axis_cuts {
    std::vector<index_t> sizes, first;
    std::vector<int> below, above;  // the nearest pieces with cells, or -1
    bool periodic = false;
    int filled = 0;  // pieces with cells
  };
  const axis_cuts& at(int number) const {
    ++lookups_;
    return (*axes_)[static_cast<std::size_t>(number)];
  }

  std::shared_ptr<const std::vector<axis_cuts>> axes_;
  owner_strides strides_;  // all 0 between: the number is the rank
  static thread_local std::size_t lookups_;
};

template <int N> box<N> regular_floor_plan::box_at(const subdomain_coordinates& at) const {
  box<N> result;
  for (std::size_t a = 0; a < N; ++a) {
    const auto axis = static_cast<int>(a);
    result.lower[a] = first(axis, at[a]);
    result.upper[a] = result.lower[a] + size(axis, at[a]);
  }
  return result;
}

}  // namespace wherry
