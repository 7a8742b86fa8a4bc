/// @file
/// Threads that do one task together: pack, copy, or touch memory first.
///
///     const auto team = wherry::thread_team::of_its_own(4);  // the caller and three more threads
///     wherry::node_memory scratch(comm, bytes, team);         // each thread touches its part first
///     wherry::index_exchange exchange(comm, lists, {.carry = {.team = team}}, x);
///     team.run([&](int number) { compute(number); });  // number from 0 to 3
///
/// Use `openmp_team()` in a program with OpenMP, so that the cores are not shared by two sets of threads.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

namespace wherry {

/// A set of threads. Copies refer to the same threads.
class thread_team {
 public:
  using work = void (*)(void* what, int number);

  /// The calling thread alone.
  thread_team() = default;
  // There are no moves, so that no object is ever without its threads.
  thread_team(const thread_team&) = default;
  thread_team& operator=(const thread_team&) = default;
  /// Threads of the user's; `openmp_team()` in openmp_team.hpp makes such a team.
  /// @param run calls `work(what, number)` for each number from 0 to `size` - 1, at once or one after the other, and
  ///   returns when all calls have returned
  /// @param run_by_their_own does the same as `run`, but calls `work` for each number in the thread of that number;
  ///   empty: `run` already does so
  thread_team(int size, std::function<void(work, void* what)> run,
              std::function<void(work, void* what)> run_by_their_own = {})
      : size_(size), run_(std::move(run)), run_by_their_own_(std::move(run_by_their_own)) {}
  /// Makes `size` - 1 threads besides the caller. Local. They sleep if there has been no task for a while (50 µs). If a
  /// thread still sleeps when the caller has done its own part, `run` does not wait for the thread, and the caller does
  /// the thread's part, too. The caller works alone while the threads work for another caller, and in a child of
  /// fork().
  /// @throws error(argument) for a size below 1 or above 4096; error(resource) if the system gives no thread
  static thread_team of_its_own(int size);

  int size() const { return size_; }

  /// Calls `each(number)` for all numbers from 0 to size() - 1 and returns when all calls have returned. `each` must
  /// not throw.
  template <class Each> void run(Each&& each) const { run_by(run_, each); }
  /// Calls `each(number)` as `run` does, but each number in the thread of that number, which is woken if it sleeps. Use
  /// it if the threads are to touch memory first.
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
