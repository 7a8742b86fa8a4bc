#include "wherry/collective/run.hpp"

#include <string>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "core/patience.hpp"
#include "core/trace.hpp"
#include "flight/companions.hpp"
#include "implementations.hpp"
#include "kept_arguments.hpp"
#include "moved_bytes.hpp"
#include "mpi_calls.hpp"
#include "protected_input.hpp"
#include "running_call.hpp"
#include "selection.hpp"
#include "start_on.hpp"
#include "steps.hpp"
#include "yielding.hpp"

namespace wherry::collective {

namespace {

/// Leaks the memory of a failed call on purpose, because MPI may still write there.
template <class Work> void keep_for_good(std::unique_ptr<Work> work) noexcept { static_cast<void>(work.release()); }

/// A call that cannot even be made is missing in this rank's sequence of calls: later calls would not fit.
template <class Work, class... More>
std::unique_ptr<Work> make_work(const call& what, communicator_state& on, int chosen, More&&... more) {
  try {
    return std::make_unique<Work>(what, on, chosen, std::forward<More>(more)...);
  } catch (...) {
    on.give_up(what.kind, on.sequence.number());
    throw;
  }
}

/// Runs a call on the stack; only if neither MPI nor another rank writes to the memory of a call that was given up.
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
  // Not among neighbours: the blocking and the non-blocking form may order them differently (see `tell_neighbors`).
  const bool in_time = on.mpi_in_time && !is_of_neighbors(what.kind);
  if (chosen == mpi_itself && !in_time) {
    begin_of_mpi(what.kind, on);
    return check_mpi(call_mpi(what, what.comm), name_of(what.kind));
  }
  const auto& row = implementations()[static_cast<std::size_t>(chosen)];
  if (row.wants == implementation::needs::dense_call) return run_here(what, on, chosen);
  auto work = make_work<running_call::work>(what, on, chosen);
  try {
    work->start();
    work->wait();
  } catch (...) {
    work->give_up();
    keep_for_good(std::move(work));
    throw;
  }
}

/// Refuses counts that MPI cannot take, before the call begins.
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
  const auto name = known.name;  // the call may free the communicator
  known.way.run(on, what, known.way);
  return name;
}

/// Runs a call and records it in the trace, if there is one.
template <class Run> std::string_view shown(const call& what, communicator_state& on, Run&& run) {
  if (on.trace == nullptr) return run();
  const auto trace = on.trace;  // the call may free the communicator
  const auto moved = moved_by(what, on);
  const auto began = trace_clock();
  const auto name = run();
  trace->next(what.kind, name, moved).add("run", began);
  return name;
}

/// Ends the work in this thread alone. Afterwards it has ended, or never will.
template <class Act> void end_by(std::unique_ptr<running_call::work>& work, Act&& act) {
  try {
    const turn mine(*work);
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

running_call::running_call(std::unique_ptr<work> made, const account& of) : work_(std::move(made)), account_(of) {}
running_call::running_call() = default;
running_call::running_call(running_call&& other) noexcept { *this = std::move(other); }
running_call& running_call::operator=(running_call&& other) noexcept {
  std::swap(work_, other.work_);
  std::swap(account_, other.account_);
  return *this;
}

running_call::~running_call() {
  if (wherry::detail::is_forked_child()) static_cast<void>(work_.release());
  if (!work_) return;
  work_->drive_alone();
  if (!work_->in_flight() && !work_->failed()) return;
  work_->give_up();
  keep_for_good(std::move(work_));
}

std::string_view running_call::implementation() const { return work_ ? work_->row().name : std::string_view(); }

bool running_call::test() {
  if (!work_) return true;
  wherry::detail::require_mpi(name_of(account_.what));
  try {
    if (!work_->test()) {
      companions::progress();  // the other ranks may end other calls first
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

void running_call::wait() {
  if (!work_) return;
  wherry::detail::require_mpi(name_of(account_.what));
  end_by(work_, [&](work& ending) { account_.moved.seconds_waiting = ending.measured_wait(); });
  account_.moved.exchanges = 1;
}

void running_call::give_up() {
  if (!work_) return;
  wherry::detail::require_mpi(name_of(account_.what));
  end_by(work_, [](work& ending) { ending.expire(); });
  account_.moved.exchanges = 1;
}

std::string_view run(const call& what) {
  auto& on = communicator_state::of(what.comm);
  return shown(what, on, [&] {
    if (const auto* known = repeated(what, on)) return run_again(what, on, *known);
    return run_by(what, on, ready(select(what, on), what, on));
  });
}

std::string_view run(const call& what, std::string_view implementation) {
  auto& on = communicator_state::of(what.comm);
  return shown(what, on, [&] {
    const int wish = wish_for(what, on, implementation);
    if (const auto* known = repeated(what, on, wish)) return run_again(what, on, *known);
    return run_by(what, on, ready(select(what, on, wish), what, on));
  });
}

running_call start_on(const call& what, communicator_state& on, const selection& chosen, whose_arguments whose,
                      bool protected_buffer) {
  companions::tend_graveyard();
  check_counts(what, on, chosen);
  count(what.kind, on, chosen);
  const auto began = on.trace != nullptr ? trace_clock() : 0;
  scratch copy;
  const auto users = protected_buffer ? with_copy_of_input(what, on, copy) : what;
  auto work = make_work<running_call::work>(users, on, chosen.implementation, std::move(copy), whose);
  running_call::account of{what.kind,       chosen.implementation, chosen.source,
                           chosen.obstacle, chosen.wanted,         moved_by(what, on)};
  of.moved.exchanges = 0;  // until the call has ended
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
  return running_call(std::move(work), of);
}

namespace {

running_call start_with(const call& what, const start_options& options, whose_arguments whose) {
  auto& on = communicator_state::of(what.comm);
  const int wish = options.implementation.empty() ? nobody : wish_for(what, on, options.implementation);
  return start_on(what, on, ready(select(what, on, wish), what, on), whose, options.protected_buffer);
}

}  // namespace

running_call start(const call& what, const start_options& options) {
  return start_with(what, options, whose_arguments::the_running_calls);
}

persistent::persistent(const call& what, const start_options& options)
    : call_(what), options_(options), implementation_(options.implementation) {
  auto kept = std::make_shared<kept_arguments>();
  call_ = kept->keep(what);
  kept_ = std::move(kept);
}

void persistent::start() {
  if (!last_.implementation().empty())
    throw error(error_kind::state, name_of(call_.kind), "'start' was called before the last call ended",
                communicator_state::of(call_.comm).comm.rank());
  options_.implementation = implementation_;
  auto next = start_with(call_, options_, whose_arguments::the_callers);
  before_ = statistics();
  last_ = std::move(next);
}

}  // namespace wherry::collective
