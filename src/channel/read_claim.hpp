// Who may still read what the sender has published and not copied: the receiver claims it before it reads, and the
// sender, where it has to have its memory back before that, withdraws it. The word lies with what is published, and is
// the sender's until the receiver has been told of that. Free of MPI: see shared_channel.hpp.
#pragma once

#include <cstdint>

#include "machine_words.hpp"

namespace wherry {

template <class Words = machine_words> class read_claim {
 public:
  /// The sender, before it tells the receiver.
  void open() { word_.store(free, std::memory_order_relaxed); }
  /// The receiver. False: withdrawn.
  bool try_read() { return try_take(read); }
  /// The sender. False: the receiver reads, or has read.
  bool try_withdraw() { return try_take(withdrawn); }

 private:
  static constexpr std::uint32_t free = 0, read = 1, withdrawn = 2;
  /// Relaxed: whether what is published may be read or reused, either side learns by the notifications.
  bool try_take(std::uint32_t by) {
    auto found = free;
    return word_.compare_exchange_strong(found, by, std::memory_order_relaxed);
  }

  typename Words::template atomic<std::uint32_t> word_{free};
};

}  // namespace wherry
