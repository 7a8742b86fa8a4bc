#include "crowding.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "number_alone.hpp"

namespace wherry {
namespace {

/// The number of ranks on this node as launchers give it (Open MPI's, Hydra, PALS). It is a hint that may be wrong or
/// missing.
int ranks_by_launcher() {
  int most = 0;
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "PALS_LOCAL_SIZE"})
    if (const char* const value = std::getenv(name)) most = std::max(most, number_alone<int>(value).value_or(0));
  return most;
}

bool exceeds_cores(int ranks) {
  static const long online = sysconf(_SC_NPROCESSORS_ONLN);  // reads files, which takes 20 µs
  return ranks > online;
}

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
