/// @file
/// The command line.
#pragma once

#include <string>
#include <vector>

#include "harness/arguments.hpp"
#include "solver.hpp"

namespace lattice_boltzmann {

extern const char* const usage;

struct run_options {
  const model* lattice = nullptr;
  flow what{};
  std::vector<int> grid;  ///< ranks along each axis
  const halo_version* exchange = nullptr;
  solver_options how;
  long steps = 100;
  double seconds = 5;
  bool verify = false, check = false, compare = false;
  std::string vtk, image, json;
};

/// @throws bench::usage_error on all ranks alike
run_options parse(bench::arguments& words, int ranks);

const char* name_of(memory_layout order);
const char* name_of(stepping how);
const char* name_of(halo_kind kind);

}  // namespace lattice_boltzmann
