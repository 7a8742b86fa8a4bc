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
  bool touched = true;        ///< measures fills before which each rank rewrites its cells near faces
  bool untouched = true;      ///< measures fills without rewriting
  bool variants = false;      ///< also the variants among which auto chooses
  double seconds = 2;         ///< of measurement for each case
  std::string what = "fill";  ///< or first_call, redistribution, regrid
  std::FILE* out = stdout;    ///< the file for records; null on ranks other than 0
};

/// @throws usage_error
options parse(int argc, char** argv, int rank);

// The parts of the benchmark. All are collective over MPI_COMM_WORLD, and return false if a cell was wrong.
bool run_fill(const options& given);            // ghost-cell fill beside hand-written executors and the copy rate
bool run_first_call(const options& given);      // plan, bind and first exchange against one exchange
bool run_redistribution(const options& given);  // half the data remote against all local, and that against plain loops
bool run_regrid(const options& given);          // new owners: arrays, copy old to new, first fill

}  // namespace bench::blocks
