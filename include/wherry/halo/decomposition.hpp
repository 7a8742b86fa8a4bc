/// @file
/// How a regular grid of cells is cut into subdomains, and which rank owns each. A pure value; no MPI.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "wherry/geometry/point.hpp"
#include "wherry/halo/descriptor.hpp"

namespace wherry {

/// Coordinates of a subdomain; unused dimensions are 0.
using subdomain_coordinates = std::array<int, max_halo_dimensions>;

/// A rectilinear decomposition: each axis is cut into pieces of their own sizes, some of which may be empty. Neighbours
/// are the nearest pieces that are not empty, around the edge where the axis is periodic.
class decomposition {
 public:
  decomposition() = default;
  /// @param sizes cells of each piece, for each axis (1 to 4 axes)
  /// @param periodic one a axis
  /// @throws error(argument) for no axes, too many, an axis without pieces, a negative size.
  decomposition(std::vector<std::vector<index_t>> sizes, std::vector<bool> periodic);

  /// Cuts `cells` as evenly as possible: the first pieces get one cell more.
  static decomposition even(std::span<const index_t> cells, std::span<const int> pieces, std::vector<bool> periodic);

  int dimensions() const { return static_cast<int>(axes_.size()); }
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

  /// Which rank owns a subdomain. Unless set otherwise its number is the rank.
  int owner(int number) const;
  /// Any ownership, several subdomains a rank included: the owner of each subdomain, by number.
  void set_owners(std::vector<int> owners);
  /// One subdomain a rank, placed by strides: the owner is the sum of coordinate × stride. Needs no table.
  void set_owners_by_stride(const std::array<int, max_halo_dimensions>& strides) { rank_strides_ = strides; }

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
    return axes_[static_cast<std::size_t>(number)];
  }

  std::vector<axis_cuts> axes_;
  std::vector<int> owners_;
  std::array<int, max_halo_dimensions> rank_strides_{};  // all 0: the number is the rank
  static thread_local std::size_t lookups_;
};

}  // namespace wherry
