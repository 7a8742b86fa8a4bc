// XXH3 of 64 bits, written from its specification (Collet, "xxHash fast digest algorithm", version 0.2.0). Finds
// damage, not malice: whoever wants to can make a file with the right checksum. At the speed of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry {

/// The same on all machines.
std::uint64_t xxhash3(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace wherry
