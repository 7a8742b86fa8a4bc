/// @file
/// Plain loops, as in a program without a library, if no data leaves the rank: they copy rows of cells from box to box.
/// The file also has arrays over memory of the user's, without padding.
#pragma once

#include <cstring>
#include <vector>

#include "wherry/blocks/blocks.hpp"

namespace bench::blocks {

/// Copies the cells that boxes of two arrays have in common on this rank.
class plain_loops {
 public:
  plain_loops(wherry::x_array<double, 3>& from, wherry::x_array<double, 3>& to) {
    for (const auto& target : to.blocks())
      for (const auto& source : from.blocks())
        if (const auto cells = intersection(source.core, target.core); !cells.empty())
          pieces_.push_back({source.values, target.values, cells});
  }

  void operator()() const {
    for (const auto& [from, to, cells] : pieces_) {
      const auto bytes = static_cast<std::size_t>(cells.extent(0)) * sizeof(double);
      for (auto z = cells.lower[2]; z < cells.upper[2]; ++z)
        for (auto y = cells.lower[1]; y < cells.upper[1]; ++y)
          std::memcpy(&to(cells.lower[0], y, z), &from(cells.lower[0], y, z), bytes);
    }
  }

 private:
  struct piece {
    wherry::grid_view<double, 3> from, to;
    wherry::box<3> cells;
  };
  std::vector<piece> pieces_;
};

/// An array in dense memory of the user's.
struct users_array {
  users_array(const wherry::communicator& comm, const wherry::floor_plan<3>& plan) : values(make(comm, plan)) {}

  std::vector<std::vector<double>> memory;
  wherry::x_array<double, 3> values;

 private:
  wherry::x_array<double, 3> make(const wherry::communicator& comm, const wherry::floor_plan<3>& plan) {
    std::vector<wherry::grid_view<double, 3>> grids;
    for (const int number : plan.owned_by(comm.rank())) {
      memory.emplace_back(static_cast<std::size_t>(plan[number].size()));
      grids.emplace_back(memory.back().data(), plan[number]);
    }
    return {comm, plan, grids};
  }
};

}  // namespace bench::blocks
