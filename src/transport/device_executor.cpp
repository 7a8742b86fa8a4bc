#include "device_executor.hpp"

#include <utility>

#include "wherry/core/error.hpp"

#include "core/patience.hpp"
#include "device_fields.hpp"
#include "parts_executor.hpp"

namespace wherry {

/// When the lanes end, the device must no longer read the peers' memory.
device_executor::~device_executor() {
  device_.finish();
  tell_read(device_.last_ended());
}

void device_executor::launch(part_gates* gates) {
  held_by_ = gates;
  stage_ = 0;
  try {
    device_.begin();
    if (stages_ > 0) start_stage();
    wait_for_packing();
    while (stage_ < stages_ && !is_last_stage() && !of_.waits_in[stage_] && !lacks_parts() && goes_on()) {
      device_.arrive(stage_);
      ++stage_;
      start_stage();
      wait_for_packing();
    }
    device_.started();
  } catch (...) {
    device_.started_in_vain();
    throw;
  }
}

/// Begins a stage. Its messages are sent when the device has packed them.
void device_executor::start_stage() {
  leaves_device_ = true;
  is_packing_ = false;
  goes_on();
}

/// Waits in `start` for the device to pack, in two cases: if packing is all that the start has to wait for, and if the
/// fields belong to the user again when `start` returns (`snapshot`). A snapshot that also takes data from fields in
/// host memory takes it when the stage leaves, so it waits until there is room.
void device_executor::wait_for_packing() {
  if (!is_packing_ || (device_.waits_for_user() && !of_.options.snapshot)) return;
  patience patient(of_.comm, of_.called, "exchange", of_.starts);
  while (!device_.has_left(stage_)) patient.pause([this](std::vector<int>&) { throw_still_packing(); });
  const bool must_leave = of_.options.snapshot && (!of_.copies_of_snapshot->empty() || of_.lanes.size() > 1);
  while (!goes_on() && must_leave) patient.pause([this](std::vector<int>& peers) { append_late_readers(peers); });
}

void device_executor::append_late_readers(std::vector<int>& peers) {
  for (auto& l : of_.lanes)
    if (!l->carried->has_room(stage_, device_.start_number())) l->carried->append_missing(stage_, peers);
}

void device_executor::throw_still_packing() const {
  throw error(error_kind::timeout, of_.called,
              detail::text("exchange number ", of_.starts, " still waits for the device of this rank to pack"),
              of_.comm.rank(), {of_.comm.rank()});
}

/// True if all peers have read the earlier contents of the buffers.
bool device_executor::has_room(std::size_t stage) {
  tell_read(device_.last_read());
  bool all = true;
  for (auto& l : of_.lanes) all = l->carried->has_room(stage, device_.start_number()) && all;
  return all;
}

/// Gives the stage to the device to pack; true if the device has it. A snapshot is packed at once, aside if need be.
/// While a packet travels, the device packs the next one.
bool device_executor::pack() {
  if (is_packing_) return true;
  if (lacks_parts()) return false;
  const bool room = has_room(stage_);
  if (!room && !of_.options.snapshot) return false;
  device_.leave(stage_, room);
  const auto next = stage_ + 1;
  const bool is_packet = next < of_.is_next_packet.size() && of_.is_next_packet[next] != 0;
  if (is_packet && has_room(next)) device_.leave_ahead(next);
  return is_packing_ = true;
}

/// Tells the peers up to which start the device has read their memory, so that they may write there again.
void device_executor::tell_read(std::uint64_t read) {
  if (read == std::exchange(told_read_, read)) return;
  for (auto& l : of_.lanes) l->carried->has_read(read);
}

/// Moves the stage on as far as possible. Returns true if it has left.
bool device_executor::goes_on() {
  if (!leaves_device_) return true;
  if (!pack()) return false;
  if (device_.is_aside(stage_)) {
    if (!has_room(stage_)) return false;
    device_.bring_in(stage_);
  }
  if (!device_.has_left(stage_)) return false;
  // By now the device has read the data of the start before. A peer may be waiting to hear that before it sends the
  // next.
  tell_read(device_.last_read());
  leaves_device_ = false;
  if (of_.copies_of_snapshot) of_.copies_of_snapshot->take(of_.fields);
  executor::start_stage();
  return true;
}

bool device_executor::advance() {
  if (held_by_ != nullptr) held_by_->take_news();  // else a poll would take them for new for ever
  while (stage_ < stages_) {
    if (!goes_on() || lacks_parts()) return false;
    bool complete = true;
    for (auto& c : of_.carriers) complete = c.by->test_stage(stage_, of_.fields) && complete;
    if (!complete) return false;
    if (of_.copies_of_snapshot) of_.copies_of_snapshot->deliver(of_.fields);
    device_.arrive(stage_);
    if (++stage_ < stages_) start_stage();
  }
  if (lacks_parts()) return false;
  device_.end();
  return true;
}

bool device_executor::advance_by_others() {
  if (!of_.options.snapshot || is_given_up_) return advance();
  if (stage_ < stages_ && goes_on())
    for (auto& c : of_.carriers) c.by->send_owed(stage_, of_.fields);
  return false;
}

bool device_executor::is_delivered() {
  const bool delivered = device_.is_delivered();
  tell_read(device_.last_read());
  return delivered;
}

void device_executor::append_missing(std::vector<int>& peers) {
  if (lacks_parts()) throw_not_ready(of_, *held_by_);
  if (stage_ >= stages_)
    throw error(error_kind::timeout, of_.called,
                detail::text("exchange number ", of_.starts, " still waits for the device of this rank to unpack"),
                of_.comm.rank(), {of_.comm.rank()});
  if (leaves_device_ && is_packing_ && !device_.is_aside(stage_)) throw_still_packing();
  executor::append_missing(peers);
}

void device_executor::let_go(bool are_there) noexcept {
  is_given_up_ = true;
  held_by_ = nullptr;
  if (of_.copies_of_snapshot) of_.copies_of_snapshot->drop();
  device_.let_go(leaves_device_ && !is_packing_ ? stage_ : stage_ + 1);
  is_packing_ = true;
  try {
    goes_on();
  } catch (...) {  // a failed device packs nothing; a later call finds the failure again
  }
  executor::let_go(are_there);
}

}  // namespace wherry
