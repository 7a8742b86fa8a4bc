// A random motion between two x-arrays, described so that the oracle needs nothing of the library's own geometry.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace wherry_test {

inline constexpr int most_block_dimensions = 6;
using place = std::array<long, most_block_dimensions>;  // dimensions beyond the case's are zero
using axes_list = std::array<int, most_block_dimensions>;

// Places from `lower` to `upper`, exclusive. Dimensions beyond the case's have one place: 0 to 1.
struct section {
  place lower{}, upper{1, 1, 1, 1, 1, 1};
  long extent(std::size_t d) const { return upper[d] > lower[d] ? upper[d] - lower[d] : 0; }
  long size() const;
  bool contains(const place& p) const;
};

// Dimension 0 fastest.
template <class Visit> void for_each_place(const section& s, Visit&& visit) {
  place p{};
  for (p[5] = s.lower[5]; p[5] < s.upper[5]; ++p[5])
    for (p[4] = s.lower[4]; p[4] < s.upper[4]; ++p[4])
      for (p[3] = s.lower[3]; p[3] < s.upper[3]; ++p[3])
        for (p[2] = s.lower[2]; p[2] < s.upper[2]; ++p[2])
          for (p[1] = s.lower[1]; p[1] < s.upper[1]; ++p[1])
            for (p[0] = s.lower[0]; p[0] < s.upper[0]; ++p[0]) visit(static_cast<const place&>(p));
}

// Where the grids of an array are.
enum class home { library, heap, shared };

struct array_case {
  std::vector<section> boxes;
  std::vector<int> owners;
  place minus{}, plus{};  // ghost cells
  axes_list order{};      // place of each dimension in the order of strides
  bool pad_rows = true;
  home where = home::library;
  bool on_device = false;            // where there is one
  std::uint64_t shape_of_users = 0;  // of grids that are the user's: gaps, backward strides, interleaved components

  // The box with its ghost cells; an empty box has none.
  section whole(int number) const;
};

struct entry_case {
  int from = 0, to = 0;
  section source, destination;
  axes_list axes{0, 1, 2, 3, 4, 5};  // destination dimension d runs along source dimension axes[d]
};

// One cell gets the value of another.
struct cell_move {
  int from = 0;
  place source{};
  int to = 0;
  place destination{};
  auto operator<=>(const cell_move&) const = default;
};

struct motion_case {
  int dimensions = 1;
  int components = 1;
  int element = 1;  // bytes
  bool endogenous = false;
  array_case source, destination;   // the same when endogenous
  std::vector<entry_case> entries;  // what the library is told; of one rank, or of all
  std::vector<cell_move> moves;     // what must happen, of all ranks
  std::string transport = "auto";
  bool proxy = false;
  bool in_parts = false;        // each grid becomes ready by itself
  bool own_entries = false;     // each rank is told only of what it takes part in
  bool shuffled = false;        // each rank has its entries in an order of its own
  bool partial_floors = false;  // each rank knows only boxes of its own, and of its entries

  std::string text() const;
};

struct motion_limits {
  int dimensions = most_block_dimensions;
  int part = 1;                           // an element has a whole number of parts of so many bytes
  bool overlapping_destinations = false;  // of use only where arrivals are combined
};

// Sizes of elements that there are in so many dimensions: all of them in all would take long to compile.
std::vector<int> element_sizes(int dimensions, int part);

motion_case random_motion_case(random_numbers& random, int ranks, const motion_limits& limits = {});

// The parts of it, for motions that are built otherwise.
std::vector<int> random_owners(random_numbers& random, int ranks, std::size_t boxes);
void choose_storage(array_case& a, random_numbers& random, int dimensions);
void choose_carrying(motion_case& c, random_numbers& random);

// What an entry means, cell by cell.
void append_moves(const entry_case& e, std::vector<cell_move>& moves);

}  // namespace wherry_test
