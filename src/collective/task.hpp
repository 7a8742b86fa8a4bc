// A collective in flight, written as one coroutine from its first step to its last: where it must wait it suspends, and
// continues when it is polled. So each implementation is written once, and works as a blocking and as a split-phase
// call.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace wherry::collective {

/// Memory for coroutine frames, kept by each thread for its next tasks.
namespace frame_pool {
void* take(std::size_t bytes);
void give_back(void* frame, std::size_t bytes) noexcept;
}  // namespace frame_pool

/// A coroutine that runs to its first wait when it is called. The objects that its parameters refer to outlive it.
class [[nodiscard]] task {
 public:
  struct promise_type {
    /// Polls its condition; null: it waits for nothing.
    bool (*poll)(void* awaited) = nullptr;
    void (*missing)(const void* awaited, std::vector<int>& ranks) = nullptr;
    void* awaited = nullptr;
    std::exception_ptr failure;

    static void* operator new(std::size_t bytes) { return frame_pool::take(bytes); }
    static void operator delete(void* frame, std::size_t bytes) noexcept { frame_pool::give_back(frame, bytes); }

    task get_return_object() { return task(handle::from_promise(*this)); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { failure = std::current_exception(); }
  };
  using handle = std::coroutine_handle<promise_type>;

  task() = default;  ///< a task that has ended
  task(task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  task& operator=(task&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~task() {
    if (frame_) frame_.destroy();
  }

  /// Continues as far as possible; true if the task has ended.
  /// @throws the exception of the task
  bool progress() {
    if (!frame_) return true;
    auto& promise = frame_.promise();
    while (!frame_.done()) {
      if (promise.poll != nullptr && !promise.poll(promise.awaited)) return false;
      promise.poll = nullptr;
      frame_.resume();
    }
    if (promise.failure) std::rethrow_exception(std::exchange(promise.failure, nullptr));
    return true;
  }

  /// Appends the ranks that it waits for, as far as it knows.
  void append_missing(std::vector<int>& ranks) const {
    if (!frame_ || frame_.done()) return;
    const auto& promise = frame_.promise();
    if (promise.poll != nullptr && promise.missing != nullptr) promise.missing(promise.awaited, ranks);
  }

  /// Leaks its memory on purpose, because MPI may still write there.
  void leak() { frame_ = nullptr; }

 private:
  explicit task(handle frame) : frame_(frame) {}
  handle frame_ = nullptr;
};

/// Suspends a task until a condition holds: `co_await until(condition)`. `condition()` returns true when the task may
/// continue; the optional `condition.append_missing(ranks)` names the ranks that it waits for.
template <class Condition> class until {
 public:
  explicit until(Condition condition) : condition_(std::move(condition)) {}

  bool await_ready() { return condition_(); }
  void await_suspend(task::handle frame) {
    auto& promise = frame.promise();
    promise.awaited = this;
    promise.poll = [](void* self) { return static_cast<until*>(self)->condition_(); };
    if constexpr (requires(const Condition& c, std::vector<int>& ranks) { c.append_missing(ranks); })
      promise.missing = [](const void* self, std::vector<int>& ranks) {
        static_cast<const until*>(self)->condition_.append_missing(ranks);
      };
    else
      promise.missing = nullptr;
  }
  void await_resume() {}

 private:
  Condition condition_;
};

/// Suspends a task until another one has ended: `co_await all_of(part)`.
class all_of {
 public:
  explicit all_of(task& part) : part_(part) {}
  bool await_ready() { return part_.progress(); }
  void await_suspend(task::handle frame) {
    auto& promise = frame.promise();
    promise.awaited = this;
    promise.poll = [](void* self) { return static_cast<all_of*>(self)->part_.progress(); };
    promise.missing = [](const void* self, std::vector<int>& ranks) {
      static_cast<const all_of*>(self)->part_.append_missing(ranks);
    };
  }
  void await_resume() {}

 private:
  task& part_;
};

}  // namespace wherry::collective
