#include "wherry/core/thread_team.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

constexpr int most_threads = 4096;
constexpr int polls_a_look = 64, polls_before_yield = 2000;
constexpr std::chrono::microseconds stays_awake{50};  // the next message of the same exchange comes sooner

/// The number of forks between the process that made a team and this one, in which the team's threads do not exist.
std::atomic<unsigned> forks{0};

unsigned forks_watched() {
  [[maybe_unused]] static const bool watched = pthread_atfork(nullptr, nullptr, [] { ++forks; }) == 0;
  return forks;
}

/// Each number is done by its own thread; or by the caller, if that thread still sleeps and any thread will do, because
/// waking it takes longer than most tasks.
class sleeping_threads {
 public:
  explicit sleeping_threads(int others) : taken_(std::make_unique<turn[]>(static_cast<std::size_t>(others) + 1)) {
    try {
      for (int number = 1; number <= others; ++number) threads_.emplace_back([this, number] { serve(number); });
    } catch (...) {
      end();
      throw;
    }
  }
  sleeping_threads(const sleeping_threads&) = delete;
  sleeping_threads& operator=(const sleeping_threads&) = delete;
  ~sleeping_threads() {
    if (has_threads())
      end();
    else
      static_cast<void>(new std::vector(std::move(threads_)));  // they cannot be joined here
  }

  /// @param helps the caller does the numbers that no thread has begun
  void run(thread_team::work work, void* what, bool helps) {
    const int others = static_cast<int>(threads_.size());
    if (!has_threads() || busy_.test_and_set(std::memory_order_acquire)) {
      for (int number = 0; number <= others; ++number) work(what, number);
      return;
    }
    undone_.store(others, std::memory_order_relaxed);
    const auto call_number = call(work, what);
    work(what, 0);
    for (int number = others; helps && number > 0; --number)
      if (take(number, call_number)) do_one(number);
    for (int polls = 0; undone_.load(std::memory_order_acquire) > 0;)
      if (++polls > polls_before_yield) std::this_thread::yield();
    busy_.clear(std::memory_order_release);
  }

 private:
  bool has_threads() const { return made_after_ == forks.load(std::memory_order_relaxed); }

  /// The last call in which a thread has taken this number.
  struct alignas(64) turn {
    std::atomic<std::uint64_t> last{0};
  };

  std::uint64_t call(thread_team::work work, void* what) {
    work_ = work;
    what_ = what;
    const auto number = calls_.fetch_add(1, std::memory_order_release) + 1;
    calls_.notify_all();
    return number;
  }

  void end() {
    ends_.store(true, std::memory_order_relaxed);
    call(nullptr, nullptr);
  }

  /// Takes a number, once for each call. A thread that hears of a call after its end comes too late, because all its
  /// numbers are taken.
  bool take(int number, std::uint64_t call_number) {
    auto before = call_number - 1;
    return taken_[static_cast<std::size_t>(number)].last.compare_exchange_strong(before, call_number,
                                                                                 std::memory_order_acquire);
  }

  void do_one(int number) {
    work_(what_, number);
    undone_.fetch_sub(1, std::memory_order_release);
  }

  /// Polls for the next call for a while.
  void listen(std::uint64_t heard) const {
    using clock = std::chrono::steady_clock;
    for (const auto end = clock::now() + stays_awake; clock::now() < end;)
      for (int polls = 0; polls < polls_a_look; ++polls)
        if (calls_.load(std::memory_order_acquire) != heard) return;
  }

  void serve(int number) {
    for (std::uint64_t heard = 0;;) {
      listen(heard);
      calls_.wait(heard, std::memory_order_acquire);
      heard = calls_.load(std::memory_order_acquire);
      if (ends_.load(std::memory_order_relaxed)) return;
      if (take(number, heard)) do_one(number);
    }
  }

  const unsigned made_after_ = forks_watched();
  std::atomic_flag busy_;
  std::atomic<bool> ends_{false};
  thread_team::work work_ = nullptr;
  void* what_ = nullptr;
  alignas(64) std::atomic<std::uint64_t> calls_{0};
  alignas(64) std::atomic<int> undone_{0};
  std::unique_ptr<turn[]> taken_;      // for each number
  std::vector<std::jthread> threads_;  // last, so that they end before the members that they use
};

}  // namespace

thread_team thread_team::of_its_own(int size) {
  if (size < 1 || size > most_threads)
    throw error(error_kind::argument, "thread_team",
                detail::text("'size' is ", size, " threads, expected 1 to ", most_threads));
  if (size == 1) return {};
  try {
    const auto threads = std::make_shared<sleeping_threads>(size - 1);
    return {size, [threads](work what_to_do, void* what) { threads->run(what_to_do, what, true); },
            [threads](work what_to_do, void* what) { threads->run(what_to_do, what, false); }};
  } catch (const std::system_error& failure) {
    throw error(error_kind::resource, "thread_team",
                detail::text("the system cannot start a thread: ", failure.what()));
  }
}

}  // namespace wherry
