// The progress thread (KeLP's proxy): one a process, carries what is in flight while the user computes.
#pragma once

#include <atomic>
#include <utility>

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

/// Work that something drives for as long as this lives: `attachment(work, companions::attach, companions::detach)`.
class attachment {
 public:
  using change = void (*)(progressive&);

  attachment() = default;
  attachment(progressive& work, change attach, change detach) : work_(&work), detach_(detach) { attach(work); }
  attachment(attachment&& other) noexcept : work_(std::exchange(other.work_, nullptr)), detach_(other.detach_) {}
  attachment& operator=(attachment&& other) noexcept {
    std::swap(work_, other.work_);
    std::swap(detach_, other.detach_);
    return *this;
  }
  ~attachment() { end(); }

  void end() noexcept {
    if (auto* work = std::exchange(work_, nullptr)) detach_(*work);
  }
  explicit operator bool() const { return work_ != nullptr; }

 private:
  progressive* work_ = nullptr;
  change detach_ = nullptr;
};

/// What follows needs MPI_THREAD_MULTIPLE. The thread starts with the first `attach` and ends at MPI_Finalize.
namespace progress_thread {

/// True when MPI lets several threads call it at a time.
bool possible();

/// @throws std::system_error where the system gives no thread; nothing is attached then
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
