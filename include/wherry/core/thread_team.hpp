/// @file
/// Threads that do one thing together: pack, copy, touch memory first.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

namespace wherry {

/// Some threads. Copies refer to the same ones.
class thread_team {
 public:
  using work = void (*)(void* what, int number);

  /// Nobody but the caller.
  thread_team() = default;
  // No moves, so that none is ever without its threads.
  thread_team(const thread_team&) = default;
  thread_team& operator=(const thread_team&) = default;
  /// Threads of yours. @param run calls `work(what, number)` for each number from 0 to `size` - 1, at once or one after
  /// the other, and returns when all have returned; `openmp_team()` (openmp_team.hpp) is one of an OpenMP program
  /// @param run_by_their_own the same, each by its own thread; none: `run` does so
  thread_team(int size, std::function<void(work, void* what)> run,
              std::function<void(work, void* what)> run_by_their_own = {})
      : size_(size), run_(std::move(run)), run_by_their_own_(std::move(run_by_their_own)) {}
  /// Threads of its own, `size` - 1 besides the caller, which sleep when there has been nothing to do for a while.
  /// Who still sleeps when the caller has done its own part is not waited for: the caller does that part, too. Where
  /// they are at work for another caller already, and in a child of fork(), the caller works alone.
  /// @throws error(argument) for less than 1 or more than 4096, error(resource) where the system gives no thread
  static thread_team of_its_own(int size);

  int size() const { return size_; }

  /// `each(number)` for all numbers from 0 to size() - 1; returns when all have returned. It must not throw.
  template <class Each> void run(Each&& each) const { run_by(run_, each); }
  /// The same, each number by its own thread, also where that one has to be woken: for memory that they touch first.
  template <class Each> void run_by_their_own(Each&& each) const {
    run_by(run_by_their_own_ ? run_by_their_own_ : run_, each);
  }

 private:
  template <class Each> void run_by(const std::function<void(work, void*)>& run, Each&& each) const {
    if (size_ == 1) return each(0);
    using callee = std::remove_reference_t<Each>;
    run([](void* what, int number) { (*static_cast<callee*>(what))(number); },
        const_cast<std::remove_const_t<callee>*>(&each));
  }

  int size_ = 1;
  std::function<void(work, void*)> run_, run_by_their_own_;
};

}  // namespace wherry
