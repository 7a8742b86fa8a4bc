// Writes the results of the first calls of this program to a file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"
#include "wherry/collective/tuning.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry::collective {

/// The implementation found for sizes in a range.
struct found_choice {
  kind what;
  std::int64_t from, to;
  std::string_view implementation;
};

/// Returns the rules with the found choices put in.
std::vector<tuned_rule> with_found(std::vector<tuned_rule> rules, const std::vector<found_choice>& found);

/// The file that WHERRY_COLL_TUNE names, on the rank that writes it: the first rank of the world, for the communicators
/// that contain it, so that no communication is needed at the end. Empty: there is no file, or another rank writes it.
/// Collective. The file is also written when MPI ends.
/// @throws error(argument) on all ranks if it cannot be written or holds something else
std::string file_of_found_choices(const communicator& comm);

/// Keeps a choice for the file. Local.
void remember_choice(const std::string& file, const found_choice& one, int ranks, int nodes);

/// Writes the choices kept since the last write, in place of those in the files. Local. Errors are printed on stderr.
void write_found_choices() noexcept;

}  // namespace wherry::collective
