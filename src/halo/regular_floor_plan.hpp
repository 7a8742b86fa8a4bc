// The floor plan of a regular grid, which is computed instead of listed. A local value; makes no MPI call.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "wherry/geometry/point.hpp"
#include "wherry/halo/descriptor.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// The coordinates of a subdomain; unused dimensions are 0.
using subdomain_coordinates = std::array<int, max_halo_dimensions>;

/// Each axis is cut into pieces of any sizes, and pieces may be empty. The neighbours of a piece are the nearest pieces
/// that are not empty, across the edge if the axis is periodic. The number of a subdomain is the number of its box in a
/// floor plan. Copies share one table.
class regular_floor_plan {
 public:
  /// @param sizes for each of 1 to 4 axes, the number of cells of each piece
  /// @param periodic for each axis, true if it is periodic
  /// @throws error(argument) for another number of axes, an axis without pieces, or a negative size.
  regular_floor_plan(std::vector<std::vector<index_t>> sizes, std::vector<bool> periodic);

  int dimensions() const { return static_cast<int>(axes_->size()); }
  int pieces(int axis) const { return static_cast<int>(at(axis).sizes.size()); }
  bool periodic(int axis) const { return at(axis).periodic; }
  /// The number of cells of the whole axis.
  index_t cells(int axis) const { return at(axis).first.back(); }
  index_t size(int axis, int piece) const { return at(axis).sizes[static_cast<std::size_t>(piece)]; }
  /// The global index of a piece's first cell.
  index_t first(int axis, int piece) const { return at(axis).first[static_cast<std::size_t>(piece)]; }
  int subdomains() const;

  /// The piece next to `piece` in direction -1 or +1, or -1 at an edge that is not periodic. Constant time.
  int neighbor(int axis, int piece, int direction) const;
  /// True if every piece along this axis is its own only neighbour.
  bool wraps_to_itself(int axis) const;

  /// The number of a subdomain. Axis 0 is the fastest.
  int number(const subdomain_coordinates& at) const;
  subdomain_coordinates coordinates(int number) const;
  bool empty(const subdomain_coordinates& at) const;
  template <int N> box<N> box_at(const subdomain_coordinates& at) const;

  /// The rank that owns a subdomain. By default it is the subdomain's number.
  int owner(int number) const { return owner_at(number, coordinates(number)); }
  /// The owner of a subdomain with known coordinates.
  int owner_at(int number, const subdomain_coordinates& at) const;
  /// Gives each rank one subdomain, placed by strides: the owner is the sum of coordinate × stride. Needs no table.
  void set_owners_by_stride(const std::array<int, max_halo_dimensions>& strides) {
    strides_ = {};
    strides_.between = strides;
  }
  /// Strides of ranks that are placed in bricks: each brick spans `brick` coordinates along an axis and has strides of
  /// its own inside.
  struct owner_strides {
    std::array<int, max_halo_dimensions> between{}, inside{}, brick{1, 1, 1, 1};
    bool operator==(const owner_strides&) const = default;
  };
  void set_owners_in_bricks(const owner_strides& strides) { strides_ = strides; }

  /// True if the two are copies of each other.
  bool shares_with(const regular_floor_plan& other) const { return axes_ == other.axes_ && strides_ == other.strides_; }

  /// The number of look-ups so far. Tests use it to show that the cost of a rank's plan is constant.
  static std::size_t lookups() { return lookups_; }

 private:
  struct axis_cuts {
    std::vector<index_t> sizes, first;
    std::vector<int> below, above;  // the nearest pieces with cells, or -1
    bool periodic = false;
    int filled = 0;  // number of pieces with cells
  };
  const axis_cuts& at(int number) const {
    ++lookups_;
    return (*axes_)[static_cast<std::size_t>(number)];
  }

  std::shared_ptr<const std::vector<axis_cuts>> axes_;
  owner_strides strides_;  // if `between` is all 0, the number is the rank
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
