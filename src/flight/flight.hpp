// A flight: something that begins now and ends later. Exchanges, streams and collectives derive from it.
#pragma once

#include <atomic>
#include <exception>
#include <utility>

namespace wherry {

/// Something that begins now and ends later. One thread at a time drives it, the holder of its turn.
///
/// At first its owner alone drives it, without taking turns and without being registered anywhere. After
/// `drive_in_waits` every wait of this process drives it as well (companions.hpp), and after `drive_in_thread` the
/// progress thread does (progress_thread.hpp).
class flight {
 public:
  flight() = default;
  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;
  virtual ~flight() { drive_alone(); }

  bool in_flight() const { return in_flight_.load(std::memory_order_acquire); }
  /// An error has ended it: MPI may still know its memory.
  virtual bool failed() const { return failure_ != nullptr; }
  /// Do peers wait for something that this has yet to send, which it does only when it is driven?
  virtual bool owes() const { return false; }

  /// Drives it on, for the holder of the turn who is not its owner. An error ends it and is kept for its owner.
  void progress() noexcept;

  bool try_turn() { return !turn_.test_and_set(std::memory_order_acquire); }
  void take_turn();
  void end_turn() { turn_.clear(std::memory_order_release); }

  void drive_in_waits();
  /// @throws std::system_error where the system gives no thread
  void drive_in_thread();
  /// When it returns, no thread but the owner's is at it or will be. Destructors of classes that can be in flight call
  /// this first.
  void drive_alone() noexcept;
  /// The progress thread no longer drives it.
  void leave_thread() noexcept;
  bool others_drive() const { return in_waits_ || in_thread_; }
  bool is_in_thread() const { return in_thread_; }

 protected:
  /// Makes progress. Returns true when all is done. What it throws passes through to the owner.
  virtual bool advance() = 0;
  /// The same by others than the owner.
  virtual bool advance_by_others() { return advance(); }
  /// Has something changed during a turn that its holder may not have seen?
  virtual bool has_news() const { return false; }

  /// For the owner: makes progress, unless another thread is at it. Returns true when all is done or has failed.
  bool poll();
  void take_off() { in_flight_.store(true, std::memory_order_release); }
  void land() { in_flight_.store(false, std::memory_order_release); }
  /// Ends it by the exception that is being handled.
  void fail() noexcept;
  /// The error that has ended it while others drove it, which is then forgotten: its owner may go on.
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

  /// The owner's turn, which it need not take while it alone drives.
  static turn of_owner(flight& work) { return work.others_drive() ? turn(work) : turn(); }

 private:
  turn() = default;
  flight* work_ = nullptr;
};

}  // namespace wherry
