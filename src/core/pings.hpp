// Letters to ranks of other nodes: questions whether they live, orders to end, and reports of deaths. Every wait on the
// same communicator reads them.
#pragma once

#include <cstdint>

#include "wherry/core/communicator.hpp"

namespace wherry::pings {

/// Lets MPI progress and answers the letters that have come. To be called in pauses.
void answer(const communicator& comm);

enum class question : std::uint64_t { alive, end };

/// Asks a rank, unless the same question still waits for its answer: a repeated ping continues it.
void ask(const communicator& comm, int rank, question what);
/// True if the question was answered. It is true once; then the rank may be asked again.
bool was_answered(const communicator& comm, int rank, question what);
/// Tells all ranks of other nodes, which cannot see it, that a rank of this node has died. Does not wait.
void tell_of_death(const communicator& comm, int rank);

}  // namespace wherry::pings
