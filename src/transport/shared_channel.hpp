// The memory through which one rank sends to another of its node: flags, and staging buffers. It lies in the sender's
// arena and both map it. Plain data at fixed offsets; who writes which word is all there is to know.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace wherry {

/// What the sender says of one start. Two of them alternate, so that a start can follow before the receiver has looked.
struct alignas(64) shared_notice {
  std::atomic<std::uint64_t> ready{0};  ///< sender: number of the start whose data is here
  std::uint32_t buffer = 0;             ///< sender: the staging buffer it is in
  std::uint32_t in_place = 0;           ///< sender: 1 when long rows are to be read from its fields
  /// Who moves the long rows: 2 × start number, + 1 once the receiver or the sender has taken it upon itself.
  alignas(64) std::atomic<std::uint64_t> claim{0};
  std::atomic<std::uint64_t> late{0};  ///< sender: start number when it has packed the long rows after all
};

struct shared_channel {
  shared_notice notice[2];
  alignas(64) std::atomic<std::uint64_t> taken{0};  ///< receiver: number of the last start whose data it has copied out
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "flags in shared memory must not need a lock");

}  // namespace wherry
