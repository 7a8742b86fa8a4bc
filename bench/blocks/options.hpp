/// @file
/// The command line of bench_blocks; bench/blocks.py writes it.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace bench::blocks {

struct options {
  std::vector<int> domains{128, 256}, boxes{32, 64}, components{1, 3}, widths{1, 3};
  std::vector<std::string> transports{"auto"};
  bool touched = true;        ///< each rank rewrites its cells near faces before every fill …
  bool untouched = true;      ///< … and, measured for itself, does not
  bool variants = false;      ///< also what auto chooses between
  double seconds = 2;         ///< measured a case
  std::string what = "fill";  ///< or first_call, redistribution, regrid
  std::FILE* out = stdout;    ///< where records go; null on ranks other than 0
};

/// @throws usage_error
options parse(int argc, char** argv, int rank);

// The parts of the benchmark. All collective over MPI_COMM_WORLD; false when a cell was wrong.
bool run_fill(const options& given);            // ghost-cell fill beside hand-written executors and the copy rate
bool run_first_call(const options& given);      // plan, bind and first exchange against one exchange
bool run_redistribution(const options& given);  // half the data remote against all local, and that against plain loops
bool run_regrid(const options& given);          // new owners: arrays, copy old to new, first fill

}  // namespace bench::blocks
