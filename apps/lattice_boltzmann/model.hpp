/// @file
/// A lattice as a value. Everything except the kernels works with it.
#pragma once

#include <string_view>

#include "kernels.hpp"

namespace lattice_boltzmann {

struct model {
  std::string_view name;
  int dimensions, populations;
  const int (*velocity)[3];
  const double* weight;
  const lattice_kernels* kernel;
};

inline const model& two_dimensions() {
  static const model d2{"D2Q9", 2, d2q9::populations, d2q9::velocity, d2q9::weight, &kernels().d2};
  return d2;
}
inline const model& three_dimensions() {
  static const model d3{"D3Q19", 3, d3q19::populations, d3q19::velocity, d3q19::weight, &kernels().d3};
  return d3;
}

}  // namespace lattice_boltzmann
