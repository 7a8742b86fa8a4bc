// How the ranks of a node send together to the ranks of another: each fills its part of one of two slots in memory that
// its node shares, and whoever is last sends the whole to a slot that the other node shares; there each takes its part,
// and whoever is last returns the credit. Nobody has to wait on the others' behalf. Starts are numbered as in
// notified_channel.hpp; start n goes to slot n mod 2, once all have taken start n-2. Free of MPI: see
// shared_channel.hpp.
#pragma once

#include <cstdint>

#include "machine_words.hpp"
#include "notified_channel.hpp"

namespace wherry {

/// Counts those who pass. The last one of all learns that it is, sees what the others have done before, and leaves it
/// as it was at first.
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

/// One of those who send. A start begins when the one before is done.
template <class Words = machine_words> class aggregated_sender {
 public:
  enum class phase : std::uint32_t { done, needs_credit };

  aggregated_sender() = default;
  /// @param filled of either slot, shared by the `all` parts that are sent together
  aggregated_sender(const notified_word<Words>& credit, turnstile<Words>* filled, std::uint32_t all)
      : credit_(&credit), filled_(filled), all_(all) {}

  phase now() const { return now_; }

  void begin(std::uint64_t start) {
    start_ = start;
    now_ = phase::needs_credit;
  }

  /// @param fill called with the slot's number, where it is free
  /// @param send called by the last one, with the slot's number and the word that tells of it
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

/// One of those who receive.
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

  /// @param take called with the slot's number
  /// @param return_credit called by the last one, with the word that says so
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
