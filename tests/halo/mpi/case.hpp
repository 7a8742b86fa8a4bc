// A random halo exchange, described so that the oracle needs nothing of the library's own geometry.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "wherry/halo/halo_exchange.hpp"

#include "support/random.hpp"

namespace wherry_test {

inline constexpr int most_dimensions = 4;
using cell = std::array<long, most_dimensions>;

// One field: its cells on every subdomain, its halo and its memory.
struct field_case {
  std::vector<std::vector<long>> sizes;  // [axis][piece]
  cell minus{}, plus{};
  cell before{}, behind{};                        // cells of the array ahead of the minus halo and behind the plus halo
  std::array<int, most_dimensions> place{};       // layout: place in the order of strides
  std::array<bool, most_dimensions> backwards{};  // negative strides
  long gap = 0;                                   // elements between the end of a row and the next one
  long element = 1;                               // bytes
  bool shared = false;                            // in node-shared memory
  bool on_device = false;                         // in a device's, where there is one
  bool layout_by_rank = false;                    // odd ranks store it the other way round
  bool bare_where_empty = false;                  // subdomains without cells have an extent of 0 in every dimension
};

struct halo_case {
  int dimensions = 1;
  std::vector<int> pieces;     // of each axis
  std::vector<bool> periodic;  // each axis
  std::vector<int> owners;     // of each subdomain; axis 0 counts fastest
  std::vector<field_case> fields;
  std::vector<std::array<int, most_dimensions>> stencil;  // directions that are read
  wherry::halo_options options;

  // On a process grid, or on a floor plan with any owners.
  bool on_grid = true;
  wherry::process_grid_options grid;
  std::vector<int> axes;  // grid dimension of each axis, or -1

  std::string text() const;
  int subdomains() const { return static_cast<int>(owners.size()); }
  std::vector<int> owned_by(int rank) const;
  std::array<int, most_dimensions> coordinates(int subdomain) const;
};

struct case_limits {
  int dimensions = most_dimensions;
  int fields = 4;
  long element = 64;  // bytes; every size from 1 up
  bool any_stencil = true;
  bool grids_only = false;
  int wide = 20;      // of 100 halos, so many may be wider than what they are next to
  long cells = 3000;  // about, of one field on one subdomain
};

halo_case random_halo_case(random_numbers& random, int ranks, const case_limits& limits = {});

}  // namespace wherry_test
