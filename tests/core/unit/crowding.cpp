// Whether a node has more ranks than cores.
#include "core/crowding.hpp"

#include <unistd.h>

#include "harness/harness.hpp"

WHERRY_UNIT_TEST(a_node_is_crowded_once_a_communicator_has_more_ranks_there_than_it_has_cores) {
  const auto cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  wherry::note_ranks_of_node(cores);
  CHECK(!wherry::node_is_crowded());
  wherry::note_ranks_of_node(cores + 1);
  CHECK(wherry::node_is_crowded());
  wherry::note_ranks_of_node(1);
  CHECK(wherry::node_is_crowded());
}
