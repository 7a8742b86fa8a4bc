// What the first calls of this program have shown, for its file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"
#include "wherry/collective/tuning.hpp"
#include "wherry/core/communicator.hpp"

namespace wherry::collective {

/// Between two sizes.
struct found_choice {
  kind what;
  std::int64_t from, to;
  std::string_view implementation;
};

/// These rules, where nothing was found.
std::vector<tuned_rule> with_found(std::vector<tuned_rule> rules, const std::vector<found_choice>& found);

/// The file that WHERRY_COLL_TUNE names, on the rank that writes it: the world's first, of the communicators that it is
/// in, which spares everybody a talk at the end. Empty: none, or another rank does. Collective, and written it is when
/// MPI ends, too. @throws error(argument) on all ranks, where it cannot be written or holds something else
std::string file_of_found_choices(const communicator& comm);

/// Local, as what follows.
void remember_choice(const std::string& file, const found_choice& one, int ranks, int nodes);

/// Writes what has been remembered since, above what the files say. What goes wrong is told on stderr.
void write_found_choices() noexcept;

}  // namespace wherry::collective
