/// @file
/// A three-dimensional Fourier transform of a distributed field: it transforms the axes that a rank has whole,
/// transposes, and transforms the next axes.
#pragma once

#include <vector>

#include "stages.hpp"
#include "transform.hpp"

namespace nas_ft {

using array = wherry::x_array<complex, 3>;

struct transposing_options {
  std::string transport = "auto";
  planning effort = planning::estimate;
};

class transposing_transform {
 public:
  /// Collective. Transforms arrays[0], which is distributed as stages[0] says, and leaves the result in the last array.
  transposing_transform(std::vector<array*> arrays, const std::vector<stage>& stages, direction way,
                        const transposing_options& how);

  /// Collective. Calls `before(block, cells)` for each plane of arrays[0] just before it is transformed.
  template <class Before> void operator()(Before&& before);

  /// The seconds spent in the movers since the beginning, with copies to the rank itself.
  double communicating() const { return communicating_; }
  /// The transport of the transpositions.
  std::string transport() const { return moves_.front().front().transport(); }
  std::string explain() const { return moves_.front().front().explain(); }

 private:
  void move(std::size_t stage, std::size_t block);
  void finish_moves(std::size_t stage);

  struct planes {
    wherry::box<3> cells;
    std::vector<transform> transforms;
  };
  std::vector<int> slowest_;                       // of each stage
  std::vector<std::vector<planes>> blocks_;        // of this rank in each stage
  std::vector<std::vector<wherry::mover>> moves_;  // from each block to the next stage
  double communicating_ = 0;
};

}  // namespace nas_ft

template <class Before> void nas_ft::transposing_transform::operator()(Before&& before) {
  for (std::size_t s = 0; s < blocks_.size(); ++s) {
    for (std::size_t b = 0; b < blocks_[s].size(); ++b) {
      const auto& [cells, transforms] = blocks_[s][b];
      auto place = cells.lower[static_cast<std::size_t>(slowest_[s])];
      for (const auto& transform_plane : transforms) {
        if (s == 0) before(b, plane_of(cells, slowest_[s], place++));
        transform_plane();
      }
      move(s, b);
    }
    finish_moves(s);
  }
}
