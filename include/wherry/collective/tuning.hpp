/// @file
/// The tuning file (WHERRY_COLL_TUNING): which implementation is best, for a number of ranks and of nodes, from a size
/// on. People can read and write it:
///
///     # what the tuner says of the machine
///     on 4 ranks, 1 nodes
///     allreduce 0 shared
///     allreduce 1048576 mpi
///
/// From where on nothing is known it says `default`. What it says of other numbers of ranks or nodes is not used.
/// `wherry_tune` writes it, and so do programs, of what their first calls have shown (WHERRY_COLL_TUNE).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// For calls of this kind from so many bytes on (see `choose`).
struct tuned_rule {
  kind what;
  std::int64_t from;
  std::string implementation;  ///< or "default": nothing is known
};

/// What makes the tuners take something else than MPI's own: faster beyond the noise. Both were timed in turns, so that
/// whatever slows a machine down for a while slows both: the one is faster in so many rounds as two that are alike
/// would be in one out of twenty cases at most (the sign test), and three quarters of its times lie below where three
/// quarters of the other's do, so that it is not bought with slow calls now and then.
/// @param times, than of as many rounds, round by round
bool is_clearly_faster(const std::vector<double>& times, const std::vector<double>& than);

/// What the file's text says of so many ranks and nodes.
/// @param rank for the error's text alone
/// @throws error(argument) naming the line that it does not understand
std::vector<tuned_rule> read_tuning(std::string_view text, int rank, int ranks, int nodes);

/// The text with these rules for so many ranks and nodes, in place of what it says of those.
std::string with_tuning(std::string_view text, const std::vector<tuned_rule>& rules, int ranks, int nodes,
                        std::string_view remark);

}  // namespace wherry::collective
