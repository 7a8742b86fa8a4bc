// XXH3 of 64 bits, written from its specification (Collet, "xxHash fast digest algorithm", version 0.2.0). It detects
// damage but not malice: a file with the right checksum can be forged. It runs at the speed of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry {

/// The hash. It is the same on all machines.
std::uint64_t xxhash3(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace wherry
