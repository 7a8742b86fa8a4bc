#include "exchange_state.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "channel/companions.hpp"
#include "channel/statistics_report.hpp"
#include "check_functions.hpp"
#include "core/patience.hpp"
#include "core/trace.hpp"
#include "freed_field.hpp"

namespace wherry {
namespace {

using clock = std::chrono::steady_clock;

}  // namespace

exchange::state::~state() {
  with_thread_.end();
  with_companions_.end();
  if (on_device) {  // nothing of the peers' is read any more when the lanes end
    on_device->finish();
    tell_read(on_device->last_ended());
  }
  if (current_settings().statistics != "0")
    report_statistics(called, transport(), comm.rank(), comm.size(), statistics());
}

void exchange::state::set_fields(std::span<void* const> table) {
  if (table.size() != needed_.size())
    throw error(error_kind::argument, called,
                detail::text(table.size(), " field pointers were given for ", needed_.size(), " fields"), comm.rank());
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] == nullptr && needed_[i] != 0)
      throw error(error_kind::argument, called,
                  detail::text("the pointer of field ", i, " '", plan.fields[i].name, "' is null"), comm.rank());
  if (started) require_mpi("set_fields");
  const turn mine(started && others_drive() ? this : nullptr);
  if (on_device)
    set_on_device(table);
  else
    std::copy(table.begin(), table.end(), fields_.begin());
  frees_seen_ = node_arena::frees();
  fields_meet_ = may_meet_.any(fields_);
  if (!fields_meet_ || !careful_.empty()) return;
  for (const auto& part : plan.stages) careful_.emplace_back(part.copies, plan, kernels, code, true);
}

void exchange::state::set_on_device(std::span<void* const> table) {
  try {
    on_device->set(table, fields_);
  } catch (const error& failure) {  // the device knows neither the exchange nor the rank
    throw error(failure.kind(), called, failure.text(), comm.rank());
  }
}

void exchange::state::require_mpi(std::string_view call) const {
  if (mpi_has_ended())
    throw error(error_kind::state, called, detail::text(call, " was called ", detail::since_mpi_has_ended()),
                comm.rank());
}

void exchange::state::require_fields() const {
  if (started) throw error(error_kind::state, called, "start was called again before wait", comm.rank());
  for (std::size_t i = 0; i < needed_.size(); ++i)
    if (fields_[i] == nullptr && needed_[i] != 0 && !(on_device && on_device->is_on_device(i) && on_device->is_set()))
      throw error(error_kind::state, called, "start was called before any field pointers were set", comm.rank());
}

void exchange::state::look_for_freed(std::string_view when) {
  const auto now = node_arena::frees();
  if (const auto freed = freed_field(comm, plan.fields, fields_, frees_seen_))
    throw error(error_kind::state, called,
                detail::text("field ", *freed, " '", plan.fields[*freed].name, "' was freed ", when), comm.rank());
  frees_seen_ = now;
}

void exchange::state::start(bool in_parts) {
  require_mpi("start");
  require_fields();
  require_parts(in_parts);
  companions::tend_graveyard();
  require_unfreed("before start");
  {
    const turn mine(others_drive() ? this : nullptr);
    started = true;
    told_ = false;
    stage_ = 0;
    holds_ = in_parts;
    if (holds_) gates_->begin();
    ++counted_.exchanges;
    const trace_span span(traced_, "start", counted_.exchanges);
    try {
      launch();
    } catch (...) {  // a user's function, say: some messages are on their way and others will never be
      failure_ = std::current_exception();
      if (on_device) on_device->started_in_vain();
      throw;
    }
    in_flight_.store(true, std::memory_order_release);
  }
  if (may_owe_ && !others_drive() && owes()) join_companions();
  if (with_thread_) progress_thread::wake();
}

void exchange::state::launch() {
  if (on_device) on_device->begin();
  if (!plan.stages.empty()) begin_stage();
  wait_for_packing();
  // What goes first to others must go now, not when the user waits.
  while (!checker_ && stage_ + 1 < plan.stages.size() && !has_messages(stage_) && (!holds_ || all_has_passed()) &&
         goes_on()) {
    if (on_device) on_device->arrive(stage_);
    ++stage_;
    begin_stage();
    wait_for_packing();
  }
  if (on_device) on_device->started();
}

/// What a device packs is sent when it is there.
void exchange::state::begin_stage() {
  if (!on_device) return send_stage();
  leaves_device_ = true;
  is_packing_ = false;
  goes_on();
}

/// Where nothing but packing is to be waited for, and where the fields are the user's again, a start waits for it. What
/// the host takes from fields of its own it takes when that leaves: where there is no room for it, such a snapshot
/// waits for room.
void exchange::state::wait_for_packing() {
  if (!on_device || !is_packing_ || (on_device->waits_for_user() && !options.snapshot)) return;
  patience patient(comm, called, "exchange", counted_.exchanges);
  while (!on_device->has_left(stage_)) patient.pause([this](std::vector<int>&) { throw_still_packing(); });
  const bool must_leave = options.snapshot && (!snapshots_.empty() || lanes.size() > 1);
  while (!goes_on() && must_leave) patient.pause([this](std::vector<int>& peers) { append_who_has_not_read(peers); });
}

void exchange::state::append_who_has_not_read(std::vector<int>& peers) {
  for (auto& l : lanes)
    if (!l->carried->has_room(stage_, on_device->start_number())) l->carried->append_missing(stage_, peers);
}

void exchange::state::throw_still_packing() const {
  throw error(error_kind::timeout, called,
              detail::text("exchange number ", counted_.exchanges, " still waits for the device of this rank to pack"),
              comm.rank(), {comm.rank()});
}

/// Have all peers read what was there before?
bool exchange::state::has_room(std::size_t stage) {
  tell_read(on_device->last_read());
  bool all = true;
  for (auto& l : lanes) all = l->carried->has_room(stage, on_device->start_number()) && all;
  return all;
}

/// Is the device at it? A snapshot is packed at once, beside where it will leave from, if need be. While a packet
/// travels the device packs the next one.
bool exchange::state::pack() {
  if (is_packing_) return true;
  if (holds_ && !all_has_passed()) return false;
  const bool room = has_room(stage_);
  if (!room && !options.snapshot) return false;
  on_device->leave(stage_, room);
  const auto next = stage_ + 1;
  if (next < goes_on_.size() && goes_on_[next] != 0 && has_room(next)) on_device->leave_ahead(next);
  return is_packing_ = true;
}

/// Whose bytes a device has read, those may write the next ones there.
void exchange::state::tell_read(std::uint64_t read) {
  if (read == std::exchange(told_read_, read)) return;
  for (auto& l : lanes) l->carried->has_read(read);
}

/// Is the stage on its way?
bool exchange::state::goes_on() {
  if (!leaves_device_) return true;
  if (!pack()) return false;
  if (on_device->is_aside(stage_)) {
    if (!has_room(stage_)) return false;
    on_device->bring_in(stage_);
  }
  if (!on_device->has_left(stage_)) return false;
  // By now the device has read the start before, which a peer may wait to hear before it sends the one after this.
  tell_read(on_device->last_read());
  leaves_device_ = false;
  send_stage();
  return true;
}

void exchange::state::send_stage() {
  for (auto& s : snapshots_) s.out.pack(fields_, s.buffer.data());  // of the only stage
  if (checker_) checker_->start_stage(stage_, fields_);
  if (holds_ && !on_device) return hold_stage();
  for (auto& l : lanes) {
    const trace_span span(l->traced, "send", counted_.exchanges);
    l->carried->start_stage(stage_, fields_);
  }
  copy_own();
}

void exchange::state::copy_own() {
  if (copies_[stage_].empty()) return;
  const trace_span span(traced_, "copy", counted_.exchanges);
  (fields_meet_ ? careful_ : copies_)[stage_].run(fields_, fields_);
}

bool exchange::state::advance() {
  while (stage_ < plan.stages.size()) {
    if (!goes_on()) return false;
    if (holds_) let_pass();
    bool complete = !holds_ || all_has_passed();
    for (std::size_t i = 0; i < lanes.size(); ++i)
      if (!holds_ || is_under_way(i)) complete = lanes[i]->carried->test_stage(stage_, fields_) && complete;
    if (checker_) complete = checker_->test_stage(stage_, fields_) && complete;
    if (!complete) return false;
    for (auto& s : snapshots_) s.in.unpack(fields_, s.buffer.data());  // of the only stage
    if (on_device) on_device->arrive(stage_);
    if (++stage_ < plan.stages.size()) begin_stage();
  }
  if (holds_ && !all_has_passed()) return false;
  if (on_device) on_device->end();
  in_flight_.store(false, std::memory_order_release);
  return true;
}

void exchange::state::progress() noexcept { options.snapshot && !is_given_up_ ? send_owed() : drive(); }

/// What a snapshot's fields are to receive must not come before its user waits for it.
void exchange::state::send_owed() noexcept {
  if (!in_flight()) return;
  try {
    if (stage_ < plan.stages.size() && goes_on())
      for (auto& l : lanes) l->carried->send_owed(stage_, fields_);
  } catch (...) {
    failure_ = std::current_exception();
    in_flight_.store(false, std::memory_order_release);
  }
}

void exchange::state::drive() noexcept {
  if (!in_flight()) return;
  const auto began = traced_ < 0 ? 0 : trace_clock();
  const auto before = stage_;
  try {
    advance();
    // Polls that find nothing would fill the trace.
    if (traced_ >= 0 && stage_ != before) trace_event(traced_, "progress", began, counted_.exchanges);
  } catch (...) {
    failure_ = std::current_exception();
    in_flight_.store(false, std::memory_order_release);
  }
}

/// True when all has arrived, by whosever doing.
bool exchange::state::poll() {
  if (!others_drive()) return advance();
  if (!in_flight()) return true;
  do {
    if (!try_turn()) return false;
    drive();
    end_turn();
  } while (gates_ && in_flight() && gates_->has_news());
  return !in_flight();
}

/// For the user, who may wait in a stream of his.
bool exchange::state::is_over() {
  if (!poll()) return false;
  if (failure_ || !on_device) return true;
  const bool delivered = on_device->is_delivered();
  tell_read(on_device->last_read());
  return delivered;
}

/// The user is told that it is over, or what went wrong: then, as without the thread, waiting may go on.
void exchange::state::end() {
  if (failure_) {
    in_flight_.store(true, std::memory_order_release);
    std::rethrow_exception(std::exchange(failure_, nullptr));
  }
  started = false;
  in_vain = false;
}

bool exchange::state::has_messages_later() const {
  for (std::size_t later = stage_ + 1; later < plan.stages.size(); ++later)
    if (has_messages(later)) return true;
  return false;
}

bool exchange::state::owes() const {
  if (stage_ >= plan.stages.size()) return false;
  return leaves_device_ || has_messages_later() ||
         std::any_of(lanes.begin(), lanes.end(), [this](const auto& l) { return l->carried->owes(stage_); });
}

bool exchange::state::owes_from_fields() const {
  return leaves_device_ || has_messages_later() || (holds_ && !all_has_passed()) ||
         std::any_of(lanes.begin(), lanes.end(),
                     [this](const auto& l) { return l->carried->owes_from_fields(stage_); });
}

void exchange::state::let_go() noexcept {
  // MPI_Finalize, which may come any time now, wants no other thread in MPI (MPI 3.1, section 12.4.3).
  with_thread_.end();
  const turn mine(others_drive() ? this : nullptr);
  is_given_up_ = true;
  silence(code);
  snapshots_.clear();
  if (on_device) on_device->let_go(leaves_device_ && !is_packing_ ? stage_ : stage_ + 1);
  is_packing_ = true;
  try {
    goes_on();
  } catch (...) {  // a device that has failed packs nothing; who goes on with this later finds it again
  }
  if (stage_ >= plan.stages.size()) {
    if (holds_) gates_->open_all();
    return;
  }
  substitutes_ = substitute_fields(plan, stage_);
  const bool are_there = !freed_field(comm, plan.fields, fields_, frees_seen_);
  if (owes_from_fields() && are_there) substitutes_.fetch(plan, kernels, code, stage_, fields_);
  for (std::size_t i = 0; i < lanes.size(); ++i)
    if (!holds_ || is_under_way(i)) lanes[i]->carried->let_go(stage_, fields_, substitutes_.table());
  if (holds_) gates_->open_all();
  const auto table = substitutes_.table();
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (plan.fields[i].space != memory_space::device) fields_[i] = table[i];
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
  // Who polls in a loop waits; a carrier that needs no MPI must not keep MPI from its peers.
  if ((++idle_tests_ & 63) == 0 || ranks_share_a_process) detail::progress_mpi(comm.handle());
  return false;
}

void exchange::state::wait() {
  if (!started && told_) return;  // as MPI_Wait after a test that said it was over
  if (!started) throw error(error_kind::state, called, "wait was called without start", comm.rank());
  require_mpi("wait");
  in_vain = true;
  require_unfreed("between start and wait");
  const trace_span span(traced_, "wait", counted_.exchanges);
  const auto began = measured_ ? clock::now() : clock::time_point{};
  patience patient(comm, called, "exchange", counted_.exchanges);
  while (!is_over()) patient.pause([this](std::vector<int>& peers) { append_missing(peers); });
  if (measured_) counted_.seconds_waiting += std::chrono::duration<double>(clock::now() - began).count();
  end();
}

void exchange::state::append_missing(std::vector<int>& peers) {
  const turn mine(others_drive() ? this : nullptr);
  if (holds_ && !all_has_passed())
    throw error(error_kind::timeout, called,
                detail::text("exchange number ", counted_.exchanges,
                             " still waits for parts of this rank that are not ready: ", list_of(gates_->not_ready())),
                comm.rank(), {comm.rank()});
  if (stage_ >= plan.stages.size() && on_device)
    throw error(
        error_kind::timeout, called,
        detail::text("exchange number ", counted_.exchanges, " still waits for the device of this rank to unpack"),
        comm.rank(), {comm.rank()});
  if (stage_ >= plan.stages.size()) return;
  if (leaves_device_ && is_packing_ && !on_device->is_aside(stage_)) throw_still_packing();
  for (const auto& l : lanes) l->carried->append_missing(stage_, peers);
  if (checker_) checker_->append_missing(stage_, peers);
}

std::string exchange::state::transport() const {
  if (lanes.empty()) return "self";
  std::string names;
  for (const auto& l : lanes) names += (names.empty() ? "" : " + ") + l->by->name;
  return names;
}

exchange_statistics exchange::state::statistics() const {
  auto result = counted_;
  const auto times = static_cast<std::int64_t>(result.exchanges);
  result.bytes_sent = times * kept->bytes_sent();
  result.bytes_received = times * kept->bytes_received();
  result.bytes_copied = times * kept->bytes_copied();
  return result;
}

}  // namespace wherry
