#include "limited_call.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "core/finalize.hpp"
#include "flight/progress_thread.hpp"

namespace wherry {
namespace {

/// MPICH's MPI_Finalize first declares that there is one thread. A thread that then leaves a call unlocks nothing, and
/// MPICH ends the program because its lock is taken (4.0.2: "pthread_mutex_destroy: Device or resource busy").
void warn_of_finalize() {
#ifdef MPICH_VERSION
  std::fputs(
      "wherry: MPI_Finalize has begun while a call with a time limit (flush, notify, an atomic), which was cut short, "
      "is on its way; MPICH may end the program for it. wherry::prepare_to_finalize() waits for it, before "
      "MPI_Finalize.\n",
      stderr);
#endif
}

/// The calls under way. Never destroyed, because a program that ends without MPI_Finalize does not wait for them.
class calls_of_process {
 public:
  calls_of_process() {
    at_finalize([this] {
      std::unique_lock lock(guard_);
      if (running_ != 0 && finalize_has_begun()) warn_of_finalize();
      changed_.wait(lock, [this] { return running_ == 0; });
    });
  }
  void begin() {
    const std::lock_guard lock(guard_);
    ++running_;
  }
  void end() {
    const std::lock_guard lock(guard_);
    --running_;
    changed_.notify_all();
  }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  int running_ = 0;
};

calls_of_process& all_calls() {
  static auto* one = new calls_of_process;
  return *one;
}

constexpr double until_naps = 1e-3;
constexpr auto nap = std::chrono::microseconds(50);
constexpr int polls_at_once = 16;  // even without time a caller polls a little, because most calls are over soon

}  // namespace

bool limited_call::is_possible() { return !detail::ranks_share_a_process && progress_thread::possible(); }

void limited_call::run(const std::function<std::uint64_t()>& call) noexcept {
  try {
    answer_ = call();
  } catch (...) {
    problem_ = std::current_exception();
  }
  over_.store(true, std::memory_order_release);
}

std::shared_ptr<limited_call> limited_call::begin(std::function<std::uint64_t()> call) {
  auto begun = std::make_shared<limited_call>();
  if (!is_possible()) {
    begun->run(call);
    return begun;
  }
  all_calls().begin();
  try {
    std::thread([begun, what = std::move(call)]() mutable {
      begun->run(what);
      what = nullptr;  // the objects that it keeps are destroyed before MPI ends
      all_calls().end();
    }).detach();
  } catch (...) {
    all_calls().end();
    throw;
  }
  return begun;
}

std::uint64_t limited_call::answer() const {
  if (problem_) std::rethrow_exception(problem_);
  return answer_;
}

bool limited_call::is_over_in(double seconds) const {
  using clock = std::chrono::steady_clock;
  const auto began = clock::now();
  for (int polls = 0; !is_over(); ++polls) {
    const double waited = std::chrono::duration<double>(clock::now() - began).count();
    if (waited > seconds && polls >= polls_at_once) return false;
    if (waited < until_naps)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(nap);
  }
  return true;
}

}  // namespace wherry
