/// @file
/// The tuning file (WHERRY_COLL_TUNING): the best implementation by number of ranks, number of nodes and size. People
/// can read and write it:
///
///     # a remark of the tuner about the machine
///     on 4 ranks, 1 nodes
///     allreduce 0 shared
///     allreduce 1048576 mpi
///
/// The implementation `default` means that nothing is known from this size on. Rules for other numbers of ranks or
/// nodes are ignored. `wherry_tune` writes this file. Programs need this header only to write a tuner of their own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// A rule for the calls of one collective from this size in bytes on (see `choose`).
struct tuned_rule {
  kind what;
  std::int64_t from;
  std::string implementation;  ///< a name, or "default" if nothing is known
};

namespace detail {

/// The rule by which the tuners prefer another implementation to MPI's own: it must be faster beyond the noise. Local.
///
/// The two are timed in alternate rounds, so that a disturbance of the machine slows both. `times` wins if it is faster
/// in so many rounds that chance would do this in at most one of twenty cases (the sign test), and if the third
/// quartile of its times is below that of the others, so that an implementation with a few very slow calls does not
/// win.
/// @param times the times of the implementation that may win, round by round
/// @param than the times of the other implementation, of as many rounds
bool is_clearly_faster(const std::vector<double>& times, const std::vector<double>& than);

}  // namespace detail

/// Reads the rules for this number of ranks and nodes from the text of a tuning file. Local.
/// @param rank only for the text of the error
/// @throws error(argument) that names the first line that is not understood
std::vector<tuned_rule> read_tuning(std::string_view text, int rank, int ranks, int nodes);

/// Returns the text of a tuning file in which these rules replace those for this number of ranks and nodes. Local.
/// @param remark a comment on the line of the ranks and nodes
std::string with_tuning(std::string_view text, const std::vector<tuned_rule>& rules, int ranks, int nodes,
                        std::string_view remark);

}  // namespace wherry::collective
