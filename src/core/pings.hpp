// Questions to ranks of other nodes whether they live, and orders to end. They are answered in all waits on the same
// communicator, by whoever waits there.
#pragma once

#include <cstdint>

#include "wherry/core/communicator.hpp"

namespace wherry::pings {

/// Lets MPI progress, and answers what has come. For pauses.
void answer(const communicator& comm);

enum class question : std::uint64_t { alive, end, answer };

/// Sends one; its number. An order to end is sent once: after that, it is the number of that one.
std::uint64_t ask(const communicator& comm, int rank, question what);
/// Whether an answer of this rank's, to this question or a later one, has come.
bool was_answered(const communicator& comm, int rank, std::uint64_t number);

}  // namespace wherry::pings
