// What the words of a protocol between two sides are made of. In the library: this machine's memory. In tests/models:
// one that tries all interleavings and all that weak ordering allows.
#pragma once

#include <atomic>
#include <cstdint>

namespace wherry {

struct machine_words {
  template <class T> using atomic = std::atomic<T>;
  template <class T> using plain = T;  ///< ordered by the atomic words alone
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "flags in shared memory must not need a lock");

}  // namespace wherry
