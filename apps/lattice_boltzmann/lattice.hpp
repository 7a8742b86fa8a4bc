/// @file
/// The two lattices: velocities and weights. The kernels include this file too, so it has only data: no functions, and
/// nothing of Wherry.
#pragma once

namespace lattice_boltzmann {

/// Population 0 rests; 2 p + 1 and 2 p + 2 are opposite to each other.
struct d2q9 {
  static constexpr int populations = 9;
  static constexpr int velocity[9][3] = {{0, 0, 0}, {1, 0, 0},   {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                                         {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};
  static constexpr double weight[9] = {4. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 9, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
};

struct d3q19 {
  static constexpr int populations = 19;
  static constexpr int velocity[19][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                          {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                          {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                          {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};
  static constexpr double weight[19] = {1. / 3,  1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18,
                                        1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36,
                                        1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36};
};

}  // namespace lattice_boltzmann
