// A flight is work that begins now and ends later. Exchanges, streams and collectives derive from it.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace wherry {

/// One thread at a time drives a flight: the holder of its turn.
/// At first its owner alone drives it, without taking turns and without being registered anywhere. After
/// `drive_in_waits`, every wait of this process drives it as well (companions.hpp); after `drive_in_thread`, the
/// progress thread does (progress_thread.hpp).
class flight {
 public:
  flight() = default;
  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;
  virtual ~flight() { drive_alone(); }

  bool in_flight() const { return in_flight_.load(std::memory_order_acquire); }
  /// True if an error has ended the flight. MPI may then still use its memory.
  virtual bool failed() const { return failure_ != nullptr; }
  /// True if peers wait for a message that this flight sends only when it is driven.
  virtual bool owes() const { return false; }

  /// Drives the flight on behalf of a holder of the turn that is not its owner. An error ends the flight and is kept
  /// for the owner.
  void progress() noexcept;

  bool try_turn() { return !turn_.test_and_set(std::memory_order_acquire); }
  void take_turn();
  void end_turn() { turn_.clear(std::memory_order_release); }

  void drive_in_waits();
  /// @throws std::system_error if the system gives no thread
  void drive_in_thread();
  /// When it returns, no thread but the owner's drives the flight, and none will. A derived class calls it first in its
  /// destructor.
  void drive_alone() noexcept;
  /// Ends `drive_in_thread`.
  void leave_thread() noexcept;
  bool others_drive() const { return in_waits_ || in_thread_; }
  bool is_in_thread() const { return in_thread_; }

 protected:
  /// Makes progress. Returns true when the flight is complete. Exceptions pass through to the owner.
  virtual bool advance() = 0;
  /// Makes progress on behalf of a thread that is not the owner's.
  virtual bool advance_by_others() { return advance(); }
  /// True if something that the holder of the turn may not have seen has changed during its turn.
  virtual bool has_news() const { return false; }

  /// Called by the owner. Makes progress, unless another thread holds the turn. Returns true when the flight is
  /// complete or has failed.
  bool poll();
  void take_off() { in_flight_.store(true, std::memory_order_release); }
  void land() { in_flight_.store(false, std::memory_order_release); }
  /// Ends the flight with the exception that is being handled.
  void fail() noexcept;
  /// Returns the error that ended the flight while others drove it, and forgets it, so that the owner may go on.
  std::exception_ptr take_failure() noexcept { return std::exchange(failure_, nullptr); }
  const std::exception_ptr& failure() const { return failure_; }

 private:
  std::atomic<bool> in_flight_{false};
  std::atomic_flag turn_;
  bool in_waits_ = false, in_thread_ = false;
  std::exception_ptr failure_;
};

/// Holds the turn for its scope.
class turn {
 public:
  explicit turn(flight& work) : work_(&work) { work_->take_turn(); }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() {
    if (work_ != nullptr) work_->end_turn();
  }

  /// The owner's turn. No turn is taken while the owner alone drives.
  static turn of_owner(flight& work) { return work.others_drive() ? turn(work) : turn(); }

 private:
  turn() = default;
  flight* work_ = nullptr;
};

}  // namespace wherry
