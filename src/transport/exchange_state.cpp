#include "exchange_state.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "channel/statistics_report.hpp"
#include "check_functions.hpp"
#include "core/patience.hpp"
#include "core/trace.hpp"
#include "device_executor.hpp"
#include "flight/companions.hpp"
#include "flight/progress_thread.hpp"
#include "freed_field.hpp"
#include "parts_executor.hpp"
#include "substitute_fields.hpp"

namespace wherry {
namespace {

using clock = std::chrono::steady_clock;

std::unique_ptr<executor> executor_for(exchange_binding& bound) {
  if (bound.on_device) return std::make_unique<device_executor>(bound);
  if (bound.options.snapshot) return std::make_unique<snapshot_executor>(bound);
  return std::make_unique<executor>(bound);
}

}  // namespace

exchange::state::state(const communicator& where, std::shared_ptr<const wherry::plans::schedule> what,
                       plans::functions with, const carry_options& how)
    : bound(where, std::move(what), std::move(with), how, [this](const exchange_binding& made) { attach(made); }),
      measured_(current_settings().statistics != "0" || trace_is_on()),
      whole_(executor_for(bound)),
      running_(whole_.get()) {}

exchange::state::~state() {
  drive_alone();
  if (current_settings().statistics != "0")
    report_statistics(bound.called, bound.transport(), bound.comm.rank(), bound.comm.size(), statistics());
}

/// Runs before any rank is bound, so that all ranks learn if one of them has no thread.
void exchange::state::attach(const exchange_binding& made) {
  // Messages of later stages, and messages that a device packs, leave only when the exchange is driven.
  for (std::size_t s = made.on_device && !made.options.snapshot ? 0 : 1; s < made.plan.stages.size(); ++s)
    if (made.has_messages(s)) drive_in_waits();
  // A snapshot must not arrive before the user's `test` or `wait`, so a thread could only send the messages that it
  // owes.
  if ((!made.options.progress_thread && !current_settings().progress_thread) || made.options.snapshot) return;
  if (!progress_thread::possible())
    throw error(error_kind::state, made.called,
                "'progress_thread' needs MPI_THREAD_MULTIPLE: start MPI with it (MPI_Init_thread)", made.comm.rank());
  try {
    drive_in_thread();
  } catch (const std::system_error& failure) {
    throw error(error_kind::resource, made.called,
                detail::text("the progress thread cannot be started: ", failure.what()), made.comm.rank());
  }
}

void exchange::state::set_fields(std::span<void* const> table) {
  if (started) require_mpi("set_fields");
  const auto mine = turn::of_owner(*this);
  bound.set_fields(table);
  frees_seen_ = detail::node_arena::frees();
}

void exchange::state::require_mpi(std::string_view call) const {
  if (detail::mpi_has_ended())
    throw error(error_kind::state, bound.called,
                detail::text("'", call, "' was called ", detail::since_mpi_has_ended()), bound.comm.rank());
}

void exchange::state::require_fields() const {
  if (started)
    throw error(error_kind::state, bound.called, "'start' was called again before 'wait'", bound.comm.rank());
  const auto* const device = bound.on_device.get();
  for (std::size_t i = 0; i < bound.needed.size(); ++i)
    if (bound.fields[i] == nullptr && bound.needed[i] != 0 &&
        !(device != nullptr && device->is_on_device(i) && device->is_set()))
      throw error(error_kind::state, bound.called, "'start' was called before any field pointers were set",
                  bound.comm.rank());
}

void exchange::state::look_for_freed(std::string_view when) {
  const auto now = detail::node_arena::frees();
  if (const auto freed = freed_field(bound.comm, bound.plan.fields, bound.fields, frees_seen_))
    throw error(error_kind::state, bound.called,
                detail::text("field ", *freed, " '", bound.plan.fields[*freed].name, "' was freed ", when),
                bound.comm.rank());
  frees_seen_ = now;
}

void exchange::state::start(bool in_parts) {
  require_mpi("start");
  require_fields();
  if (in_parts && !gates_)
    throw error(error_kind::state, bound.called,
                "the exchange was started in parts, but 'divide' was not called before", bound.comm.rank());
  companions::tend_graveyard();
  require_unfreed("before start");
  {
    const auto mine = turn::of_owner(*this);
    started = true;
    told_ = false;
    ++bound.starts;
    const trace_span span(bound.traced, "start", bound.starts);
    try {
      launch(in_parts);
    } catch (...) {  // e.g. from a user's function: some messages have left, others never will
      fail();
      throw;
    }
    take_off();
  }
  // The user may wait for something else while a peer waits for a message that this exchange owes. If a thread drives
  // the exchange, nothing is needed. A snapshot that a device packs is left to its user alone.
  if (bound.may_owe && !others_drive() && !(bound.options.snapshot && bound.on_device) && owes()) drive_in_waits();
  if (is_in_thread()) progress_thread::wake();
}

void exchange::state::launch(bool in_parts) {
  in_parts_ = in_parts;
  if (in_parts) gates_->begin();  // before anything is sent
  running_ = in_parts && by_parts_ ? by_parts_.get() : whole_.get();
  in_parts ? running_->start_in_parts() : running_->start();
}

/// Only steps that complete a stage are traced: polls that find nothing would fill the trace.
bool exchange::state::advance_by_others() {
  if (bound.traced < 0) return running_->advance_by_others();
  const auto began = trace_clock();
  const auto before = running_->stage();
  const bool over = running_->advance_by_others();
  if (running_->stage() != before) trace_event(bound.traced, "progress", began, bound.starts);
  return over;
}

/// Called when the user learns that the exchange is complete or has failed. After a failure the exchange is in flight
/// again, as without the thread, and waiting may go on.
void exchange::state::end() {
  if (failed()) {
    take_off();
    std::rethrow_exception(take_failure());
  }
  started = false;
  in_vain = false;
}

bool exchange::state::let_go() noexcept {
  if (!started) return true;
  // MPI_Finalize may come at any time from now on, and allows no other thread in MPI (MPI 3.1, section 12.4.3).
  leave_thread();
  const auto mine = turn::of_owner(*this);
  silence(bound.code);
  running_->let_go(!freed_field(bound.comm, bound.plan.fields, bound.fields, frees_seen_));
  return false;
}

bool exchange::state::test() {
  if (!started) return true;
  require_mpi("test");
  in_vain = true;  // unless it is seen to end, or to go on
  require_unfreed("between start and wait");
  if (is_over()) {
    end();
    told_ = true;
    return true;
  }
  in_vain = false;
  // A user who polls in a loop waits. A carrier that makes no MPI call must not keep MPI from making progress for
  // peers.
  if ((++idle_tests_ & 63) == 0 || detail::ranks_share_a_process) detail::progress_mpi(bound.comm.private_handle());
  return false;
}

void exchange::state::require_started(std::string_view call) {
  if (!started)
    throw error(error_kind::state, bound.called, detail::text("'", call, "' was called without 'start'"),
                bound.comm.rank());
  require_mpi(call);
  in_vain = true;
  require_unfreed("between start and wait");
}

template <class Done> void exchange::state::wait_until(Done done) {
  const trace_span span(bound.traced, "wait", bound.starts);
  const auto began = measured_ ? clock::now() : clock::time_point{};
  patience patient(bound.comm, bound.called, "exchange", bound.starts);
  while (!done()) patient.pause([this](std::vector<int>& peers) { append_missing(peers); });
  if (measured_) seconds_waiting_ += std::chrono::duration<double>(clock::now() - began).count();
}

void exchange::state::wait() {
  if (!started && told_) return;  // as MPI_Wait after a test that has completed the request
  require_started("wait");
  wait_until([this] { return is_over(); });
  end();
}

std::span<const int> exchange::state::wait_some() {
  if (!started && told_) return {};
  require_started("wait_some");
  if (!arrivals_) arrivals_.emplace(bound);
  arrivals_->begin();
  wait_until([this] {
    const bool over = is_over();
    if (over && failed()) end();
    const auto mine = turn::of_owner(*this);
    arrivals_->find(*running_, over);
    if (over && arrivals_->ranks().empty()) {
      end();
      told_ = true;
    }
    return over || !arrivals_->ranks().empty();
  });
  in_vain = false;
  return arrivals_->ranks();
}

void exchange::state::append_missing(std::vector<int>& peers) {
  const auto mine = turn::of_owner(*this);
  running_->append_missing(peers);
}

void exchange::state::divide(int parts,
                             const std::function<void(const plans::block_row&, std::vector<int>&)>& parts_of) {
  const auto refuse = [this](error_kind kind, const std::string& why) {
    throw error(kind, bound.called, why, bound.comm.rank());
  };
  if (started) refuse(error_kind::state, "'divide' was called between 'start' and 'wait'");
  if (parts < 0) refuse(error_kind::argument, detail::text("'parts' is ", parts, ", expected 0 or more"));
  if (bound.options.snapshot)
    refuse(error_kind::argument,
           "'snapshot' cannot be used with parts, because a snapshot is sent as a whole at start");
  auto gates = std::make_unique<part_gates>(parts);
  if (bound.on_device) {
    bound.on_device->divide(static_cast<std::size_t>(parts));
    whole_->hold_for(*gates);
  } else {
    by_parts_ = std::make_unique<parts_executor>(bound, *gates, parts_of);
  }
  gates_ = std::move(gates);
  running_ = whole_.get();
  const bool without_mpi =
      std::all_of(bound.lanes.begin(), bound.lanes.end(), [](const auto& l) { return l->by->node_only; });
  anybody_may_send_ = without_mpi || progress_thread::possible();
  // Threads that say that a part is ready then drive the exchange. It may also owe a message when a part becomes ready,
  // and not only after `start`.
  drive_in_waits();
}

bool exchange::state::may_send() const {
  if (anybody_may_send_) return true;
  int main = 0;
  check_mpi(PMPI_Is_thread_main(&main), "MPI_Is_thread_main");
  return main != 0;
}

void exchange::state::ready(int part) {
  const auto refuse = [&](error_kind kind, const std::string& why) {
    throw error(kind, bound.called, why, bound.comm.rank());
  };
  require_mpi("ready");
  // The exchange cannot end before this part is ready, so no other thread changes these members meanwhile.
  if (!started || !in_parts_)
    refuse(error_kind::state,
           detail::text("'ready' was called for part ", part, ", but the exchange was not started in parts"));
  if (part < 0 || part >= gates_->parts())
    refuse(error_kind::argument, detail::text("'part' is ", part, "; there are ", gates_->parts(), " parts"));
  if (bound.on_device) bound.on_device->ready(static_cast<std::size_t>(part));
  const auto answer = gates_->ready(part);
  if (answer == part_gates::answer::said_before)
    refuse(error_kind::state, detail::text("'ready' was called twice for part ", part));
  if (answer == part_gates::answer::nothing_opened || !may_send()) return;
  while (gates_->has_news() && try_turn()) {
    try {
      gates_->take_news();
      if (in_flight()) running_->go_on_with_parts();
    } catch (...) {  // e.g. from a user's function; the user's wait reports it
      fail();
    }
    end_turn();
  }
}

exchange_statistics exchange::state::statistics() const {
  const auto times = static_cast<std::int64_t>(bound.starts);
  exchange_statistics result;
  result.exchanges = bound.starts;
  result.bytes_sent = times * bound.kept->bytes_sent();
  result.bytes_received = times * bound.kept->bytes_received();
  result.bytes_copied = times * bound.kept->bytes_copied();
  result.seconds_waiting = seconds_waiting_;
  return result;
}

}  // namespace wherry
