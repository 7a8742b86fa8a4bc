// Decides if data that the sender has published without a copy may still be read. The receiver claims it before it
// reads; the sender withdraws it if it needs its memory back earlier. The word lies with the published data, and
// belongs to the sender until the receiver is told of the data. Free of MPI: see shared_channel.hpp.
#pragma once

#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

template <class Words = machine_words> class read_claim {
 public:
  /// By the sender, before it tells the receiver.
  void open() { word_.store(free, std::memory_order_relaxed); }
  /// By the receiver. False: the data was withdrawn.
  bool try_read() { return try_take(read); }
  /// By the sender. False: the receiver reads the data, or has read it.
  bool try_withdraw() { return try_take(withdrawn); }

 private:
  static constexpr std::uint32_t free = 0, read = 1, withdrawn = 2;
  /// Relaxed order is enough, because either side learns by the notifications when the data may be read or its memory
  /// reused.
  bool try_take(std::uint32_t by) {
    auto found = free;
    return word_.compare_exchange_strong(found, by, std::memory_order_relaxed);
  }

  typename Words::template atomic<std::uint32_t> word_{free};
};

}  // namespace wherry
