// XXH64, written from its specification (Collet, "xxHash fast digest algorithm", version 0.1.1). Finds damage, not
// malice: whoever wants to can make a file with the right checksum. About ten times as fast as a CRC by table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry {

/// The same on all machines.
std::uint64_t xxhash64(std::span<const std::byte> bytes, std::uint64_t seed = 0);

}  // namespace wherry
