// The bytes of this rank in a call, if not all ranks know the call's size.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

class neighborhood;

/// The bytes that this rank sends or receives, whichever is more, in a call with a size that not all ranks know. Its
/// arguments have been checked. Local.
std::int64_t own_bytes(const call& what, int rank, int size, const neighborhood* around);

}  // namespace wherry::collective
