// The progress thread (KeLP's proxy): one a process, carries what is in flight while the user computes.
#pragma once

#include <atomic>

namespace wherry {

/// Something that one thread at a time drives to its end: the user's or the progress thread.
class progressive {
 public:
  virtual ~progressive() = default;

  /// Makes progress. Called by the holder of the turn only, by the progress thread while `in_flight()`. Never throws.
  virtual void progress() noexcept = 0;

  /// Do peers wait for something that this has yet to send, which it does only when it is driven?
  virtual bool owes() const { return false; }
  /// No longer in flight because of an error: MPI may still know its memory.
  virtual bool failed() const { return false; }

  bool in_flight() const { return in_flight_.load(std::memory_order_acquire); }
  bool try_turn() { return !turn_.test_and_set(std::memory_order_acquire); }
  void take_turn();
  void end_turn() { turn_.clear(std::memory_order_release); }

 protected:
  std::atomic<bool> in_flight_{false};

 private:
  std::atomic_flag turn_;
};

/// Holds the turn for its scope; of nobody where `work` is null.
class turn {
 public:
  explicit turn(progressive* work) : work_(work) {
    if (work_ != nullptr) work_->take_turn();
  }
  turn(const turn&) = delete;
  turn& operator=(const turn&) = delete;
  ~turn() {
    if (work_ != nullptr) work_->end_turn();
  }

 private:
  progressive* work_;
};

/// What follows needs MPI_THREAD_MULTIPLE. The thread starts with the first `attach` and ends at MPI_Finalize.
namespace progress_thread {

/// True when MPI lets several threads call it at a time.
bool possible();

void attach(progressive& work);
/// When it returns the thread is not, and will not be, at this work.
void detach(progressive& work);
/// Something attached is in flight.
void wake();
/// For good; nothing attached is driven any more. MPI_Finalize does it before anything else calls MPI: MPICH 4 is not
/// safe for threads there.
void stop();

}  // namespace progress_thread

}  // namespace wherry
