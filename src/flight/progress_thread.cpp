#include "progress_thread.hpp"

#include <mpi.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "core/finalize.hpp"

namespace wherry {
namespace {

/// Decides what the thread does between two rounds. A thread that spins on a busy core makes the user's computation 2
/// to 10 times slower, so it yields its core after a round that completes nothing, and soon sleeps.
class politeness {
 public:
  void after_round(bool something_ended) {
    rounds_ = something_ended ? 0 : rounds_ + 1;
    if (rounds_ <= 4) {
      sched_yield();
      return;
    }
    const timespec nap{0, std::min(rounds_, 20) * 5'000};
    nanosleep(&nap, nullptr);
  }

 private:
  int rounds_ = 0;
};

class thread_of_process {
 public:
  void attach(flight& work) {
    const std::lock_guard lock(guard_);
    if (!thread_.joinable() && !stop_) {
      at_finalize([this] { stop(); });
      thread_ = std::thread([this] { run(); });
    }
    list_.push_back(&work);
  }

  void detach(flight& work) {
    {
      const std::lock_guard lock(guard_);
      list_.erase(std::remove(list_.begin(), list_.end(), &work), list_.end());
    }
    // The thread takes turns only while it holds the guard, so it cannot take a turn of this flight after the erase
    // above.
    work.take_turn();
    work.end_turn();
  }

  void wake() {
    {
      const std::lock_guard lock(guard_);
      ++starts_;
    }
    changed_.notify_one();
  }

  void stop() {
    {
      const std::lock_guard lock(guard_);
      stop_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run() {
    politeness polite;
    std::unique_lock lock(guard_);
    while (!stop_) {
      const auto seen = starts_;
      bool any = false, ended = false;
      for (std::size_t i = 0; i < list_.size(); ++i) {
        auto& work = *list_[i];
        if (!work.in_flight()) continue;
        any = true;
        if (!work.try_turn()) continue;
        lock.unlock();
        work.progress();
        ended = ended || !work.in_flight();
        work.end_turn();
        lock.lock();
      }
      if (any) {
        lock.unlock();
        polite.after_round(ended);
        lock.lock();
      } else {
        changed_.wait(lock, [&] { return stop_ || starts_ != seen; });
      }
    }
  }

  std::mutex guard_;
  std::condition_variable changed_;
  std::vector<flight*> list_;
  std::uint64_t starts_ = 0;
  bool stop_ = false;
  std::thread thread_;
};

/// Never destroyed: a program that ends without MPI_Finalize must not wait for the thread.
thread_of_process& the_thread() {
  static auto* one = new thread_of_process;
  return *one;
}

}  // namespace

namespace progress_thread {

bool possible() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

void attach(flight& work) { the_thread().attach(work); }
void detach(flight& work) { the_thread().detach(work); }
void wake() { the_thread().wake(); }
void stop() { the_thread().stop(); }

}  // namespace progress_thread

}  // namespace wherry
