// A collective under way, written as one function from its first step to its last: where it has to wait it stops, and
// goes on when it is asked again. So each implementation is there once, and is blocking and in two phases.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace wherry::collective {

/// Memory of tasks, kept by each thread for its next ones.
namespace frame_pool {
void* take(std::size_t bytes);
void give_back(void* frame, std::size_t bytes) noexcept;
}  // namespace frame_pool

/// Runs from its beginning to its first wait when it is called. What its parameters refer to outlives it.
class [[nodiscard]] task {
 public:
  struct promise_type {
    /// Asks what it waits for; null: it waits for nothing.
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

  task() = default;  ///< one that has ended
  task(task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  task& operator=(task&& other) noexcept {
    std::swap(frame_, other.frame_);
    return *this;
  }
  ~task() {
    if (frame_) frame_.destroy();
  }

  /// Goes on as far as it can. True: it has ended. @throws what it has thrown
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

  /// The ranks that it waits for, as far as it knows.
  void append_missing(std::vector<int>& ranks) const {
    if (!frame_ || frame_.done()) return;
    const auto& promise = frame_.promise();
    if (promise.poll != nullptr && promise.missing != nullptr) promise.missing(promise.awaited, ranks);
  }

  /// Its memory stays for good: MPI may still write there.
  void leak() { frame_ = nullptr; }

 private:
  explicit task(handle frame) : frame_(frame) {}
  handle frame_ = nullptr;
};

/// What tasks wait for: `co_await until(condition)`, where `condition()` is true once they may go on, and
/// `condition.append_missing(ranks)`, where it has that, says for whom.
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

/// Another task's end: `co_await all_of(part)`.
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
