// The ranks of a node send together to the ranks of another node. Each sender fills its part of one of two slots, in
// memory that its node shares, and the last one sends the whole slot to a slot that the other node shares. There each
// receiver takes its part, and the last one returns the credit. No rank waits on behalf of others. Starts are numbered
// as in notified_channel.hpp; start n uses slot n mod 2, once all receivers have taken start n-2. Free of MPI: see
// shared_channel.hpp.
#pragma once

#include <cstdint>

#include "machine_words.hpp"
#include "notified_channel.hpp"

namespace wherry {

/// Counts the ranks that pass. The last one of all is told so, sees everything that the others did before, and resets
/// the count.
template <class Words = machine_words> class turnstile {
 public:
  bool pass_last_of(std::uint32_t all) {
    for (auto passed = word_.load(std::memory_order_relaxed);;) {
      const std::uint32_t now = passed + 1 == all ? 0 : passed + 1;
      if (word_.compare_exchange_strong(passed, now, std::memory_order_acq_rel)) return now == 0;
    }
  }

 private:
  alignas(64) typename Words::template atomic<std::uint32_t> word_{0};
};

/// One of the senders. A start begins when the previous one is done.
template <class Words = machine_words> class aggregated_sender {
 public:
  enum class phase : std::uint32_t { done, needs_credit };

  aggregated_sender() = default;
  /// @param filled one for each slot, shared by the `all` parts that are sent together
  aggregated_sender(const notified_word<Words>& credit, turnstile<Words>* filled, std::uint32_t all)
      : credit_(&credit), filled_(filled), all_(all) {}

  phase now() const { return now_; }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::needs_credit;
  }

  /// @param fill called with the number of the slot, when it is free
  /// @param send called by the last sender, with the number of the slot and the word that announces it
  template <class Fill, class Send> void try_send(Fill&& fill, Send&& send) {
    if (now_ != phase::needs_credit) return;
    if (!has_come_to(start_ < 2 ? 0 : start_ - 2, credit_->load(std::memory_order_acquire))) return;
    fill(start_ & 1);
    now_ = phase::done;
    if (filled_[start_ & 1].pass_last_of(all_)) send(start_ & 1, word_of_start(start_));
  }

 private:
  const notified_word<Words>* credit_ = nullptr;
  turnstile<Words>* filled_ = nullptr;
  std::uint32_t all_ = 0;
  std::uint64_t start_ = 0;
  phase now_ = phase::done;
};

/// One of the receivers.
template <class Words = machine_words> class aggregated_receiver {
 public:
  enum class phase : std::uint32_t { done, waiting };

  aggregated_receiver() = default;
  aggregated_receiver(const notified_word<Words>& arrived, turnstile<Words>* taken, std::uint32_t all)
      : arrived_(&arrived), taken_(taken), all_(all) {}

  phase now() const { return now_; }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::waiting;
  }

  bool is_ready() const { return has_come_to(start_, arrived_->load(std::memory_order_acquire)); }
  bool is_missing() const { return now_ == phase::waiting && !is_ready(); }

  /// @param take called with the number of the slot
  /// @param return_credit called by the last receiver, with the word that returns the credit
  template <class Take, class Credit> void try_receive(Take&& take, Credit&& return_credit) {
    if (now_ != phase::waiting || !is_ready()) return;
    take(start_ & 1);
    now_ = phase::done;
    if (taken_[start_ & 1].pass_last_of(all_)) return_credit(word_of_start(start_));
  }

 private:
  const notified_word<Words>* arrived_ = nullptr;
  turnstile<Words>* taken_ = nullptr;
  std::uint32_t all_ = 0;
  std::uint64_t start_ = 0;
  phase now_ = phase::done;
};

}  // namespace wherry
