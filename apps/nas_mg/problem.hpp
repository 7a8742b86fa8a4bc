/// @file
/// The problem classes of NAS MG: grids, coefficients, and the norms that a correct program computes.
#pragma once

#include <array>
#include <string_view>

namespace nas_mg {

/// Weights of a 3 x 3 x 3 stencil by distance: the centre, the 6 faces, the 12 edges, the 8 corners.
using weights = std::array<double, 4>;

/// One class.
struct problem {
  std::string_view name;
  long cells;        ///< along each axis: a power of two
  int iterations;    ///< V-cycles
  weights smoother;  ///< S: an approximate inverse of A
  double reference;  ///< the residual's norm after the last V-cycle
};

/// The discrete Poisson operator A of all classes.
inline constexpr weights laplacian{-8.0 / 3.0, 0.0, 1.0 / 6.0, 1.0 / 12.0};
inline constexpr double tolerance = 1e-8;  ///< relative

inline constexpr weights small_smoother{-3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0};
inline constexpr weights large_smoother{-3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0};

// The norms are those that NPB 3.4 verifies with (MG/mg.f90).
inline constexpr std::array<problem, 5> problems{{
    {"S", 32, 4, small_smoother, 0.5307707005734e-04},
    {"W", 128, 4, small_smoother, 0.6467329375339e-05},
    {"A", 256, 4, small_smoother, 0.2433365309069e-05},
    {"B", 256, 20, large_smoother, 0.1800564401355e-05},
    {"C", 512, 20, large_smoother, 0.5706732285740e-06},
}};

}  // namespace nas_mg
