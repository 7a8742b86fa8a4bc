/// @file
/// What implementations keep with a communicator between calls (paper 2, section 4.1: static windows and coarrays).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string_view>

#include "wherry/core/any_communicator.hpp"

namespace wherry::collective {

/// Makes what an implementation keeps with `comm`, as its first call would: "one_sided" windows, "pgas" a segment,
/// "coarray" a part of the coarray of all processes, which the first communicator that asks makes for all. So many
/// bytes a rank, rounded up to slots of 64; 0: as many as are usual. Vectors of any length go through, in parts where
/// they are longer than the slots. Others keep nothing and are ready. Where it cannot be made, `obstacle` says why
/// from now on.
///
/// Collective over `comm`; local where it has been made, which then stays as it is, or was found not to be possible.
/// @throws error(argument) for a name that nobody has or a negative size, error(mismatch) where ranks disagree
void make_ready(any_communicator comm, std::string_view implementation, std::int64_t bytes = 0);

/// Collective over `comm`: gives that memory back; the next call makes it anew.
/// @throws error(argument) for a name that nobody has, error(state) while calls by it are under way
void give_back(any_communicator comm, std::string_view implementation);

}  // namespace wherry::collective
