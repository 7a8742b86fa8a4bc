// The words from which a protocol between two sides is made. In the library they are words of this machine's memory. In
// tests/models they try all interleavings, and all orders that a weak memory model allows.
#pragma once

#include <atomic>
#include <cstdint>

namespace wherry {

struct machine_words {
  template <class T> using atomic = std::atomic<T>;
  template <class T> using plain = T;  ///< ordered only by the atomic words
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "flags in shared memory must not need a lock");

}  // namespace wherry
