/// @file
/// The command line of bench_halo; bench/halo.py writes it.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "halo/problem.hpp"

namespace bench::halo {

struct options {
  std::vector<int> sizes{32, 64, 128, 250};
  std::vector<std::string> splits{"x"};
  shape shape_of_fields{};
  std::string transports;      ///< names of Wherry's transports, separated by commas; empty: all
  bool by_dimension = false;   ///< also measures `auto` with the order by_dimension
  int threads = 2;             ///< of each rank, for `hybrid`
  double seconds = 3;          ///< of measurement for each size and split
  bool touched = true;         ///< measures exchanges before which each rank rewrites its outgoing cells
  bool untouched = true;       ///< measures exchanges without rewriting
  std::string what = "speed";  ///< or count, hybrid, lists, layers, device, startup, generic, quiet
  std::FILE* out = stdout;     ///< the file for records; null on ranks other than 0
};

/// @throws usage_error
options parse(int argc, char** argv, int rank);

// The parts of the benchmark. All are collective over MPI_COMM_WORLD.
bool run_speed(const options& given);    // false when a halo was wrong
bool run_count(const options& given);    // instructions and shared lines; false when counting is wrong
bool run_hybrid(const options& given);   // few ranks of many threads; false when a halo was wrong
bool run_lists(const options& given);    // HPCG's exchange by lists of indices; false when an external was wrong
bool run_layers(const options& given);   // ghosts in layers, four fields; false when a ghost was wrong
bool run_device(const options& given);   // fields in device memory; false when a halo was wrong
void run_startup(const options& given);  // milliseconds to plan and bind
void run_generic(const options& given);  // fields of different types and layouts against equal ones
void run_quiet(const options& given);    // allocations of start and wait
void run_marked(const options& given);   // start and wait of `shared` between marks, for strace to count between

}  // namespace bench::halo
