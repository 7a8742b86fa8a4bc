#include "wherry/collective/operation.hpp"

#include <exception>
#include <string>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "channel/companions.hpp"
#include "channel/progress_thread.hpp"
#include "core/patience.hpp"
#include "core/trace.hpp"
#include "implementations.hpp"
#include "moved_bytes.hpp"
#include "mpi_calls.hpp"
#include "operation_on.hpp"
#include "selection.hpp"
#include "steps.hpp"
#include "yielding.hpp"

namespace wherry::collective {

/// A call under way that others may drive.
class operation::work final : public progressive {
 public:
  work(const call& what, communicator_state& on, int chosen) : users_(what), steps_(users_, on, chosen) {}
  static void* operator new(std::size_t bytes) { return frame_pool::take(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept { frame_pool::give_back(memory, bytes); }

  const collective::implementation& row() const { return steps_.row(); }
  const traced_call& trace() const { return trace_; }
  void show_as(const traced_call& one) { trace_ = one; }

  void start() {
    in_flight_.store(true, std::memory_order_relaxed);
    steps_.start();
  }

  bool advance() {
    if (!in_flight()) return true;
    try {
      if (!steps_.advance()) return false;
    } catch (...) {
      give_up();
      throw;
    }
    trace_.add("end");
    in_flight_.store(false, std::memory_order_release);
    return true;
  }

  void wait() {
    throw_failure();
    auto patience = steps_.wait();
    try {
      while (!advance()) {
        patience.pause([&](std::vector<int>& ranks) { steps_.append_missing(ranks); });
        steps_.look();
      }
    } catch (...) {
      give_up();
      throw;
    }
  }

  /// @returns the seconds that it took, where waits are measured
  double measured_wait() {
    if (!steps_.on().measured) return wait(), 0.0;
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
      steps_.wait().give_up([&](std::vector<int>& ranks) { steps_.append_missing(ranks); });
    } catch (...) {
      give_up();
      throw;
    }
  }

  /// For the progress thread, and those who wait for something else.
  void progress() noexcept override {
    try {
      advance();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  bool failed() const override { return has_given_up_; }

  bool test() {
    const turn mine(this);
    throw_failure();
    if (advance()) return true;
    try {
      steps_.look();
    } catch (...) {
      give_up();
      throw;
    }
    return false;
  }

  void give_up() {
    if (std::exchange(has_given_up_, true)) return;
    in_flight_.store(false, std::memory_order_release);
    steps_.give_up();
  }

  void drive_by_others() {
    by_waits_ = attachment(*this, companions::attach, companions::detach);
    if (current_settings().progress_thread && progress_thread::possible())
      by_thread_ = attachment(*this, progress_thread::attach, progress_thread::detach);
    if (by_thread_) progress_thread::wake();
  }
  void drive_alone() {
    by_thread_.end();
    by_waits_.end();
  }

  void progress_messages() { wherry::detail::progress_mpi(steps_.on().comm.handle()); }
  /// What it has come to while others drove it.
  void throw_failure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  void protect(scratch copy) { protected_send_ = std::move(copy); }

 private:
  const call users_;
  steps steps_;
  scratch protected_send_;
  traced_call trace_;
  bool has_given_up_ = false;
  std::exception_ptr failure_;
  attachment by_waits_, by_thread_;
};

namespace {

/// Ends a call that has failed: MPI may still write to its memory, which stays for good.
template <class Work> void keep_for_good(std::unique_ptr<Work> work) noexcept { static_cast<void>(work.release()); }

/// What cannot even be made is missing in the order of the calls, on this rank alone.
template <class Work> std::unique_ptr<Work> make_work(const call& what, communicator_state& on, int chosen) {
  try {
    return std::make_unique<Work>(what, on, chosen);
  } catch (...) {
    on.give_up(what.kind, on.sequence.number());
    throw;
  }
}

/// Without leaving this function, where nobody writes to what is given up: neither MPI nor another rank.
void run_here(const call& what, communicator_state& on, int chosen) {
  try {
    steps all(what, on, chosen);
    all.start();
    const auto has_ended = [&] { return all.advance(); };
    if (has_ended() || comes_after_yielding(*on.board, has_ended)) return;
    auto patience = all.wait();
    while (!has_ended()) {
      patience.pause([&](std::vector<int>& ranks) { all.append_missing(ranks); });
      all.look();
    }
  } catch (...) {
    on.give_up(what.kind, on.sequence.number());
    throw;
  }
}

void carry_out(const call& what, communicator_state& on, int chosen) {
  // Not among neighbours: the two forms of a call may tell them apart differently (see `tell_neighbors`).
  const bool in_time = on.mpi_in_time && !is_of_neighbors(what.kind);
  if (chosen == mpi_itself && !in_time) {
    begin_of_mpi(what.kind, on);
    return check_mpi(call_mpi(what, what.comm), name_of(what.kind));
  }
  const auto& row = implementations()[static_cast<std::size_t>(chosen)];
  if (row.wants == implementation::needs::dense_call) return run_here(what, on, chosen);
  auto work = make_work<operation::work>(what, on, chosen);
  try {
    work->start();
    work->wait();
  } catch (...) {
    work->give_up();
    keep_for_good(std::move(work));
    throw;
  }
}

/// What MPI cannot count is no call yet.
void check_counts(const call& what, communicator_state& on, const selection& chosen) {
  const auto& row = implementations()[static_cast<std::size_t>(chosen.implementation)];
  if (row.wants == implementation::needs::users_call) refusing(on, [&] { check_mpi_counts(what); });
}

void count(kind what, communicator_state& on, const selection& chosen) {
  on.counts.count(what, chosen.implementation);
  if (!chosen.obstacle.empty()) on.counts.fallen(what, chosen.wanted, chosen.obstacle).count();
}

std::string_view run_by(const call& what, communicator_state& on, const selection& chosen) {
  check_counts(what, on, chosen);
  count(what.kind, on, chosen);
  carry_out(what, on, chosen.implementation);
  return implementations()[static_cast<std::size_t>(chosen.implementation)].name;
}

std::string_view run_again(const call& what, communicator_state& on, const decision& known) {
  if (known.way.run == nullptr) return run_by(what, on, known.said);
  on.counts.count(what.kind, known.implementation);
  if (known.fell != nullptr) known.fell->count();
  const auto name = known.name;  // the call may be the communicator's last
  known.way.run(on, what, known.way);
  return name;
}

/// So that what is timed is the call, not who comes late to it.
void line_up(MPI_Comm comm, communicator_state& on) {
  static const int by_memory = implementation_named("shared"), by_messages = implementation_named("dissemination");
  carry_out(call::barrier(comm), on, on.one_node && on.board != nullptr ? by_memory : by_messages);
}

/// By whose turn it is.
std::string_view run_on_trial(const call& what, communicator_state& on) {
  const auto shape = shape_of(what, on);
  auto& trial = on.first->of(shape, on);
  if (!on.first->tries(shape, on) || !on.first->fits(what, shape, on))
    return run_by(what, on, ready(select(what, on), what, on));
  const auto candidate = ready({trial.candidate(), the_first_calls, {}, {}}, what, on);
  const auto& row = implementations()[static_cast<std::size_t>(candidate.implementation)];
  const decision as_if_again{{},
                             candidate.implementation,
                             candidate.implementation,
                             row.name,
                             row.shorter != nullptr ? row.shorter(what, shape, on) : brief_way{},
                             nullptr,
                             candidate};
  line_up(what.comm, on);
  trial.begin_turn();
  const double began = PMPI_Wtime();
  const auto name = run_again(what, on, as_if_again);
  trial.end_turn((PMPI_Wtime() - began) * 1e6);
  return name;
}

/// In the trace, where there is one.
template <class Run> std::string_view shown(const call& what, communicator_state& on, Run&& run) {
  if (on.trace == nullptr) return run();
  const auto trace = on.trace;  // the call may be the communicator's last
  const auto moved = moved_by(what, on);
  const auto began = trace_clock();
  const auto name = run();
  trace->next(what.kind, name, moved).add("run", began);
  return name;
}

/// By the caller alone. Afterwards it has ended, or never will.
template <class Act> void end_by(std::unique_ptr<operation::work>& work, Act&& act) {
  try {
    const turn mine(work.get());
    act(*work);
  } catch (...) {
    work->drive_alone();
    keep_for_good(std::move(work));
    throw;
  }
  work->drive_alone();
  work.reset();
}

}  // namespace

selection ready(const selection& first, const call& what, communicator_state& on) {
  const auto& row = implementations()[static_cast<std::size_t>(first.implementation)];
  if (row.prepare == nullptr && !is_of_neighbors(what.kind)) return first;
  if (row.wants == implementation::needs::users_call) return first;
  if (row.prepare != nullptr) row.prepare(row, on, 0);
  if (is_of_neighbors(what.kind)) on.around->learn(on.comm, what.kind);
  const auto obstacle = row.obstacle(row, shape_of(what, on), on);
  return obstacle.empty() ? first : selection{mpi_itself, first.source, obstacle, row.name};
}

operation::operation(std::unique_ptr<work> made, const account& of) : work_(std::move(made)), account_(of) {}
operation::operation() = default;
operation::operation(operation&& other) noexcept { *this = std::move(other); }
operation& operation::operator=(operation&& other) noexcept {
  std::swap(work_, other.work_);
  std::swap(account_, other.account_);
  return *this;
}

operation::~operation() {
  if (!work_) return;
  work_->drive_alone();
  if (!work_->in_flight() && !work_->failed()) return;
  work_->give_up();
  keep_for_good(std::move(work_));
}

std::string_view operation::implementation() const { return work_ ? work_->row().name : std::string_view(); }

bool operation::test() {
  if (!work_) return true;
  try {
    if (!work_->test()) {
      // The other ranks may end others first, or put into this one's windows.
      companions::progress();
      work_->progress_messages();
      return false;
    }
  } catch (...) {
    work_->drive_alone();
    keep_for_good(std::move(work_));
    throw;
  }
  work_->drive_alone();
  work_.reset();
  account_.moved.exchanges = 1;
  return true;
}

void operation::end() {
  if (!work_) return;
  end_by(work_, [&](work& ending) { account_.moved.seconds_waiting = ending.measured_wait(); });
  account_.moved.exchanges = 1;
}

void operation::give_up() {
  if (!work_) return;
  end_by(work_, [](work& ending) { ending.expire(); });
  account_.moved.exchanges = 1;
}

std::string_view run(const call& what) {
  auto& on = communicator_state::of(what.comm);
  return shown(what, on, [&] {
    if (const auto* known = repeated(what, on)) return run_again(what, on, *known);
    const auto chosen = select_or_try(what, on);
    return chosen.implementation == on_trial ? run_on_trial(what, on) : run_by(what, on, ready(chosen, what, on));
  });
}

std::string_view run(const call& what, std::string_view implementation) {
  auto& on = communicator_state::of(what.comm);
  return shown(what, on, [&] {
    if (const int wish = implementation_named(implementation); wish >= 0)
      if (const auto* known = repeated(what, on, wish)) return run_again(what, on, *known);
    return run_by(what, on, ready(select(what, on, implementation), what, on));
  });
}

operation begin_on(const call& what, communicator_state& on, const selection& chosen, bool protected_buffer) {
  check_counts(what, on, chosen);
  count(what.kind, on, chosen);
  const auto began = on.trace != nullptr ? trace_clock() : 0;
  scratch copy;
  auto work = make_work<operation::work>(protected_buffer ? with_copy_of_input(what, on, copy) : what, on,
                                         chosen.implementation);
  work->protect(std::move(copy));
  operation::account of{what.kind,       chosen.implementation, chosen.source,
                        chosen.obstacle, chosen.wanted,         moved_by(what, on)};
  of.moved.exchanges = 0;  // until it has ended
  if (on.trace != nullptr) work->show_as(on.trace->next(what.kind, work->row().name, of.moved));
  try {
    work->start();
    work->drive_by_others();
  } catch (...) {
    work->give_up();
    keep_for_good(std::move(work));
    throw;
  }
  work->trace().add("begin", began);
  return operation(std::move(work), of);
}

operation begin(const call& what, const begin_options& options) {
  auto& on = communicator_state::of(what.comm);
  const auto chosen =
      ready(options.implementation.empty() ? select(what, on) : select(what, on, options.implementation), what, on);
  return begin_on(what, on, chosen, options.protected_buffer);
}

void persistent::start() {
  if (!last_.implementation().empty())
    throw error(error_kind::state, name_of(call_.kind), "'start' before the last one has ended",
                communicator_state::of(call_.comm).comm.rank());
  auto next = begin(call_, options_);
  before_ = statistics();
  last_ = std::move(next);
}

}  // namespace wherry::collective
