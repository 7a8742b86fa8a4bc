// CRC-64 as in xz: polynomial of ECMA-182, reflected. Our own, because a header's worth of code is less than a
// dependency of the core library, and because a CRC finds every burst of up to 64 bits for certain. Eight bytes a step
// make it about as fast as a disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wherry {

/// The checksum of what has the checksum `before`, followed by `bytes`.
std::uint64_t crc64(std::span<const std::byte> bytes, std::uint64_t before = 0);

}  // namespace wherry
