// A running call.
#pragma once

#include <exception>
#include <optional>
#include <utility>
#include <vector>

#include "wherry/collective/run.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "call_trace.hpp"
#include "core/trace.hpp"
#include "flight/companions.hpp"
#include "flight/progress_thread.hpp"
#include "kept_arguments.hpp"
#include "start_on.hpp"
#include "steps.hpp"
#include "task.hpp"

namespace wherry::collective {

/// A call under way that others may drive. All that it needs goes when it has ended, whoever has driven it: the
/// communicator may be freed then.
class running_call::work final : public flight {
 public:
  work(const call& what, communicator_state& on, int chosen, scratch copy = {}, whose_arguments whose = {})
      : on_(on),
        row_(implementations()[static_cast<std::size_t>(chosen)]),
        measured_(on.measured),
        needs_(std::in_place, what, on, chosen, std::move(copy), whose) {
    on.calls_under_way.fetch_add(1, std::memory_order_relaxed);
  }
  static void* operator new(std::size_t bytes) { return frame_pool::take(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept { frame_pool::give_back(memory, bytes); }

  const collective::implementation& row() const { return row_; }
  const traced_call& trace() const { return trace_; }
  void show_as(const traced_call& one) { trace_ = one; }

  void start() {
    take_off();
    needs_->steps.start();
  }

  bool advance() override {
    if (!in_flight()) return true;
    const companions::driving here;
    try {
      if (!needs_->steps.advance()) return false;
    } catch (...) {
      give_up();
      throw;
    }
    trace_.add("end");
    needs_.reset();
    leave_communicator();
    return true;
  }

  void wait() {
    throw_failure();
    if (!in_flight()) return;
    auto patience = needs_->steps.wait();
    try {
      while (!advance()) {
        patience.pause([&](std::vector<int>& ranks) { needs_->steps.append_missing(ranks); });
        if (needs_) needs_->steps.look();
      }
    } catch (...) {
      give_up();
      throw;
    }
  }

  /// @returns the seconds that it took, where waits are measured
  double measured_wait() {
    if (!measured_) return wait(), 0.0;
    const auto began = trace_clock();
    wait();
    trace_.add("wait", began);
    return static_cast<double>(trace_clock() - began) * 1e-9;
  }

  /// Looks once more, and waits no longer.
  void expire() {
    throw_failure();
    if (advance()) return;
    try {
      needs_->steps.wait().give_up([&](std::vector<int>& ranks) { needs_->steps.append_missing(ranks); });
    } catch (...) {
      give_up();
      throw;
    }
  }

  bool failed() const override { return has_given_up_; }

  bool test() {
    const turn mine(*this);
    throw_failure();
    if (advance()) return true;
    wherry::detail::progress_mpi(on_.comm.private_handle());  // the other ranks may put into this one's windows
    try {
      if (needs_) needs_->steps.look();
    } catch (...) {
      give_up();
      throw;
    }
    return false;
  }

  void give_up() {
    if (std::exchange(has_given_up_, true)) return;
    needs_->steps.give_up();
    leave_communicator();
  }

  void drive_by_others() {
    drive_in_waits();
    if (!current_settings().progress_thread || !progress_thread::possible()) return;
    drive_in_thread();
    progress_thread::wake();
  }

  /// What it has come to while others drove it.
  void throw_failure() {
    if (failure()) std::rethrow_exception(take_failure());
  }

 private:
  /// Until it has ended; for good, where it has failed.
  struct needs {
    needs(const call& what, communicator_state& on, int chosen, scratch copy, whose_arguments whose)
        : users(whose == whose_arguments::the_callers
                    ? what
                    : kept.keep(what, list_readers::of(on), kept_arguments::life::one_call)),
          protected_send(std::move(copy)),
          steps(users, on, chosen) {}

    kept_arguments kept;
    const call users;
    scratch protected_send;
    collective::steps steps;
  };

  /// From now on nothing of the communicator's is touched.
  void leave_communicator() {
    land();
    on_.calls_under_way.fetch_sub(1, std::memory_order_release);
  }

  communicator_state& on_;
  const collective::implementation& row_;
  const bool measured_;
  std::optional<needs> needs_;
  traced_call trace_;
  bool has_given_up_ = false;
};

}  // namespace wherry::collective
