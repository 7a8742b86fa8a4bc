/// @file
/// The command line of bench_deep; bench/deep.py writes it.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

namespace bench::deep {

struct options {
  /// What is moved: a shape and its nodes.
  std::vector<std::string> structures{"scene:131072", "random:65536", "ring:262144", "tree:262144", "full:2048"};
  std::vector<std::string> operations{"broadcast", "send", "write", "read"};
  std::string methods;          ///< only those whose name has this in it
  std::string folder = "/tmp";  ///< for files
  bool count = false;           ///< instructions and shared lines, instead of time
  double seconds = 4;           ///< measured a case
  std::FILE* out = stdout;      ///< where records go; null on ranks other than 0
};

/// @throws usage_error
options parse(int argc, char** argv, int rank);

/// One structure and one operation: everything is checked, timed and checked again. Collective over MPI_COMM_WORLD.
/// @return false when something arrived wrong
bool run_case(const options& given, const std::string& structure, const std::string& operation);

}  // namespace bench::deep
