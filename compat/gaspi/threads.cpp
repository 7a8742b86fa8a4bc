// GPI-2's threads: the number of threads, numbers for those that register, and a barrier.
#include "threads.hpp"

#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "GASPI_Threads.h"
#include "PGASPI.h"
#include "calls.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_threads_init);
WHERRY_WEAK_NAME(gaspi_threads_init_user);
WHERRY_WEAK_NAME(gaspi_threads_term);
WHERRY_WEAK_NAME(gaspi_threads_run);
WHERRY_WEAK_NAME(gaspi_threads_register);
WHERRY_WEAK_NAME(gaspi_threads_get_tid);
WHERRY_WEAK_NAME(gaspi_threads_get_total);
WHERRY_WEAK_NAME(gaspi_threads_get_num_cores);
WHERRY_WEAK_NAME(gaspi_threads_sync);
WHERRY_WEAK_NAME(gaspi_threads_sync_all);

namespace wherry::gaspi {
namespace {

struct threads {
  std::mutex guard;
  std::condition_variable changed;
  int total = 0;  // 0 outside init and term
  int registered = 0;
  int waiting = 0;
  unsigned round = 0;

  /// The last thread to come runs `last` before all go on. False outside init and term.
  template <class Last> bool meet(Last&& last) {
    std::unique_lock lock(guard);
    if (total == 0) return false;
    if (++waiting == total) {
      last();
      waiting = 0;
      ++round;
      changed.notify_all();
      return true;
    }
    changed.wait(lock, [this, mine = round] { return round != mine || total == 0 || world_ends(); });
    return true;
  }
};

/// Never destroyed, because a thread may still wait when the program ends.
threads& all() {
  static auto* const t = new threads;
  return *t;
}

thread_local int number = -1;

int usable_cores() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
}

}  // namespace

void wake_threads() {
  const std::lock_guard lock(all().guard);
  all().changed.notify_all();
}

}  // namespace wherry::gaspi

using namespace wherry::gaspi;

gaspi_return_t pgaspi_threads_get_num_cores(gaspi_int* const cores) {
  constexpr auto call = "gaspi_threads_get_num_cores";
  if (cores == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'cores' is null");
  *cores = usable_cores();
  return *cores > 0 ? GASPI_SUCCESS : GASPI_ERROR;
}

gaspi_return_t pgaspi_threads_init_user(const unsigned int use_nr_of_threads) {
  constexpr auto call = "gaspi_threads_init_user";
  const std::lock_guard lock(all().guard);
  if (use_nr_of_threads < 1 || use_nr_of_threads > 1024)
    return refuse(call, GASPI_ERROR,
                  wherry::detail::text("'use_nr_of_threads' is ", use_nr_of_threads, ", expected 1 to 1024"));
  if (all().total != 0) return refuse(call, GASPI_ERROR, "gaspi_threads_init has already been called");
  all().total = static_cast<int>(use_nr_of_threads);
  all().registered = 0;
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_threads_init(gaspi_int* const num) {
  if (const auto counted = pgaspi_threads_get_num_cores(num); counted != GASPI_SUCCESS) return counted;
  return pgaspi_threads_init_user(static_cast<unsigned>(*num));
}

gaspi_return_t pgaspi_threads_term(void) {
  const std::lock_guard lock(all().guard);
  all().total = all().waiting = 0;
  all().changed.notify_all();
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_threads_run(void* (*function)(void*), void* arg) {
  constexpr auto call = "gaspi_threads_run";
  return guarded(call, [&] {
    if (function == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'function' is null");
    {
      const std::lock_guard lock(all().guard);
      if (all().total == 0) return refuse(call, GASPI_ERROR, "gaspi_threads_init has not been called");
    }
    std::thread(function, arg).detach();
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_threads_register(gaspi_int* tid) {
  constexpr auto call = "gaspi_threads_register";
  if (tid == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'tid' is null");
  const std::lock_guard lock(all().guard);
  *tid = number = all().registered++;
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_threads_get_tid(gaspi_int* const tid) {
  constexpr auto call = "gaspi_threads_get_tid";
  if (tid == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'tid' is null");
  *tid = number;
  return number >= 0 ? GASPI_SUCCESS : refuse(call, GASPI_ERROR, "this thread is not registered");
}

gaspi_return_t pgaspi_threads_get_total(gaspi_int* const num) {
  constexpr auto call = "gaspi_threads_get_total";
  if (num == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'num' is null");
  const std::lock_guard lock(all().guard);
  *num = all().total;
  return *num != 0 ? GASPI_SUCCESS : refuse(call, GASPI_ERROR, "gaspi_threads_init has not been called");
}

void pgaspi_threads_sync(void) {
  all().meet([] {});
}

// All threads of the rank return the result of the last one's barrier.
gaspi_return_t pgaspi_threads_sync_all(const gaspi_group_t g, const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_threads_sync_all";
  static std::atomic<gaspi_return_t> outcome{GASPI_SUCCESS};
  return in_world(call, [&](world&) {
    const bool has_met = all().meet([&] { outcome = gaspi_barrier(g, timeout_ms); });
    if (world_ends()) return refuse(call, GASPI_ERROR, "gaspi_proc_term has ended this wait");
    return has_met ? outcome.load() : refuse(call, GASPI_ERROR, "gaspi_threads_init has not been called");
  });
}
