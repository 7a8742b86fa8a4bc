// Letters to ranks of other nodes: questions whether they live, orders to end, and who has died. They are read in all
// waits on the same communicator, by whoever waits there.
#pragma once

#include <cstdint>

#include "wherry/core/communicator.hpp"

namespace wherry::pings {

/// Lets MPI progress, and answers what has come. For pauses.
void answer(const communicator& comm);

enum class question : std::uint64_t { alive, end };

/// Asks a rank, unless the same question still waits for an answer: who repeats a ping goes on with it.
void ask(const communicator& comm, int rank, question what);
/// Whether that has been answered. True once: then the rank may be asked again.
bool was_answered(const communicator& comm, int rank, question what);
/// Tells all ranks of other nodes that one of this node has died, which nobody there can see. Waits for nobody.
void tell_of_death(const communicator& comm, int rank);

}  // namespace wherry::pings
