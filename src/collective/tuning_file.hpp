// The tuning file: which implementation is best, for a number of ranks and nodes, a collective, from a size on. Lines:
//
//     # what the tuner says of the machine
//     on 4 ranks, 1 nodes
//     allreduce 0 shared
//     allreduce 1048576 mpi
//
// What it says of another number of ranks or nodes is not used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct tuned_rule {
  kind what;
  std::int64_t from;
  std::string implementation;
};

/// What the file's text says of so many ranks and nodes. @throws error(argument) naming the line that it does not
/// understand
std::vector<tuned_rule> read_tuning(std::string_view text, int rank, int ranks, int nodes);
/// The lines of one section.
std::string write_tuning(const std::vector<tuned_rule>& rules, int ranks, int nodes);

}  // namespace wherry::collective
