// How much of a call is this rank's: what it knows where not all ranks know the call's size.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

class neighborhood;

/// Bytes that it sends, or receives, whichever is more; of calls of which not all ranks know the size, whose arguments
/// have been checked. Local.
std::int64_t own_bytes(const call& what, int rank, int size, const neighborhood* around);

}  // namespace wherry::collective
