/// @file
/// The command line of bench_deep; bench/deep.py writes it.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace bench::deep {

struct options {
  /// The structure to move: a shape and a number of nodes.
  std::vector<std::string> structures{"scene:131072", "random:65536", "ring:262144", "tree:262144", "full:2048"};
  std::vector<std::string> operations{"broadcast", "send", "write", "read"};
  std::string methods;          ///< only methods whose name contains this text
  std::string folder = "/tmp";  ///< for files
  bool count = false;           ///< instructions and shared lines, instead of time
  double seconds = 4;           ///< of measurement for each case
  std::FILE* out = stdout;      ///< the file for records; null on ranks other than 0
};

/// @throws usage_error
options parse(int argc, char** argv, int rank);

/// Checks, times and checks again all contenders for one structure and one operation. Collective over MPI_COMM_WORLD.
/// @return false if a structure arrived wrong
bool run_case(const options& given, const std::string& structure, const std::string& operation);

}  // namespace bench::deep
