#include "crowding.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace wherry {
namespace {

/// What launchers tell of how many ranks they have started here: Open MPI's, Hydra, PALS. A hint, which may be wrong or
/// not there.
int ranks_by_launcher() {
  int most = 0;
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PALS_LOCAL_SIZE"})
    if (const char* const value = std::getenv(name)) {
      const std::string_view text(value);
      int ranks = 0;
      const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), ranks);
      if (failure == std::errc() && end == text.data() + text.size()) most = std::max(most, ranks);
    }
  return most;
}

bool exceeds_cores(int ranks) { return ranks > sysconf(_SC_NPROCESSORS_ONLN); }

std::atomic<bool>& crowded() {
  static std::atomic<bool> is_so{exceeds_cores(ranks_by_launcher())};
  return is_so;
}

}  // namespace

bool node_is_crowded() { return crowded().load(std::memory_order_relaxed); }

void note_ranks_of_node(int ranks) {
  if (exceeds_cores(ranks)) crowded().store(true, std::memory_order_relaxed);
}

}  // namespace wherry
