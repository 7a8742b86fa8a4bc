// Bits that no other process draws, for the names and stamps of files.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>

namespace wherry {

/// Drawn from the kernel. std::random_device first asks the processor for its features, which takes 20 µs on a virtual
/// one, and a static libstdc++ brings one that needs the newest C library.
inline std::uint64_t random_bits() {
  std::uint64_t drawn = 0;
  if (getentropy(&drawn, sizeof drawn) == 0) return drawn;
  // Linux before 3.17 has no such call.
  const auto now = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return now ^ static_cast<std::uint64_t>(getpid()) << 48;
}

}  // namespace wherry
