/// @file
/// Memory that some implementations keep with a communicator between calls (CRESTA, section 4.1: static windows and
/// coarrays).
///
///     wherry::collective::make_ready(comm, "one_sided", 1 << 20);  // 1 MiB on each rank
///     wherry::collective::give_back(comm, "one_sided");
///
/// These calls are optional: the first collective by such an implementation makes the memory, with its usual size.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "wherry/core/any_communicator.hpp"

namespace wherry::collective {

/// Makes the memory that an implementation keeps with `comm`, as its first call would: windows for "one_sided", a
/// segment for "pgas", a part of the coarray for "coarray". The coarray belongs to all processes; the first
/// communicator that needs it makes it for all. Vectors of any length fit: longer ones travel in parts. Other
/// implementations keep no memory, and for them this does nothing. If the memory cannot be made, `obstacle` gives the
/// reason from then on.
///
/// Collective over `comm`. Local if the memory is already there, which then keeps its size, or if an earlier call could
/// not make it.
/// @param bytes for each rank, rounded up to slots of 64 bytes; 0: the usual size
/// @throws error(argument) for an unknown name or a negative size, error(mismatch) if the ranks disagree
void make_ready(any_communicator comm, std::string_view implementation, std::int64_t bytes = 0);

/// Frees the memory that an implementation keeps with `comm`; its next call makes the memory anew. Collective over
/// `comm`.
/// @throws error(argument) for an unknown name, error(state) while calls by this implementation are in flight
void give_back(any_communicator comm, std::string_view implementation);

}  // namespace wherry::collective
