// What publishing and reading do, step by step; each step is asked again until it is done.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "wherry/core/error.hpp"

#include "channel/measured_wait.hpp"
#include "core/patience.hpp"
#include "published_state.hpp"
#include "transport/freed_field.hpp"

namespace wherry {
namespace {

using sending = notified_sender<>::phase;
using receiving = notified_receiver<>::phase;
constexpr auto at_once = [] { return true; };  // a segment's notification follows its data

}  // namespace

void published_layouts::state::set_fields(direction& of, plans::field_table users) const {
  if (of.device == nullptr) {
    std::copy(users.begin(), users.end(), of.fields.begin());
    return;
  }
  try {
    of.device->set(users, of.fields);
  } catch (const error& failure) {  // the device knows neither whose fields these are nor the rank
    throw error(failure.kind(), called, failure.text(), comm.rank());
  }
}

void published_layouts::state::require_fields(plans::field_table table) const {
  if (table.size() != plan.fields.size())
    throw error(error_kind::argument, called,
                detail::text("'fields' has ", table.size(), " addresses, expected ", plan.fields.size(),
                             ", one for each field of the plan"),
                comm.rank());
  for (std::size_t f = 0; f < table.size(); ++f)
    if (needed[f] != 0 && table[f] == nullptr)
      throw error(error_kind::argument, called, detail::text("'fields' has a null address for field ", f), comm.rank());
  if (const auto freed = freed_field(comm, plan.fields, table, detail::node_arena::frees()))
    throw error(error_kind::state, called,
                detail::text("field ", *freed, " '", plan.fields[*freed].name, "' was freed before this call"),
                comm.rank());
}

void published_layouts::state::require_published() const {
  if (!is_unread || detail::node_arena::frees() == frees_seen) return;
  if (const auto freed = freed_field(comm, plan.fields, leaving->fields, frees_seen))
    throw error(
        error_kind::state, called,
        detail::text("field ", *freed, " '", plan.fields[*freed].name, "' was freed before all ranks had read it"),
        comm.rank());
}

// Publishing.

/// In a stream of the user's it returns when the device has been told to pack; what is packed leaves by `drive`.
bool published_layouts::state::try_publish(plans::field_table fields) {
  const auto mine = turn::of_owner(*this);
  if (!goes_on) {
    if (!drive()) return false;  // the one before
    begin_publication(fields);
  }
  if (publishing == stage_of::waiting_for_room && !try_pack()) return false;
  const bool leaves_by_itself = leaving->device != nullptr && leaving->device->waits_for_user();
  if (!drive() && !leaves_by_itself) return false;
  goes_on = false;
  return true;
}

void published_layouts::state::begin_publication(plans::field_table fields) {
  auto* const device = leaving->device.get();
  set_fields(*leaving, fields);
  if (device != nullptr) device->begin();
  frees_seen = detail::node_arena::frees();
  is_unread = true;
  ++published;
  for (auto& next : sends) next.side.begin(published);
  publishing = stage_of::waiting_for_room;
  goes_on = true;
  if (device == nullptr) return;
  try {
    try_pack();
  } catch (...) {
    device->started_in_vain();
    throw;
  }
  device->started();
}

/// True when nothing that follows waits for readers. (Without a device each message waits for its own.)
bool published_layouts::state::try_pack() {
  auto* const device = leaving->device.get();
  if (device != nullptr) {
    tell_read();
    bool room = lent == nullptr || lent->has_room(0, published);
    for (const auto& s : sends) room = room && s.side.has_room();
    if (!room) return false;
    device->leave(0, true);
  }
  publishing = stage_of::packing;
  return true;
}

bool published_layouts::state::has_packed() const { return leaving->device == nullptr || leaving->device->has_left(0); }

bool published_layouts::state::drive() {
  if (failed()) std::rethrow_exception(take_failure());
  if (publishing == stage_of::packing && has_packed()) {
    if (lent != nullptr) lent->tell(0, published);
    publishing = stage_of::leaving;
  }
  // By now the device has read what came before, which a peer may wait to hear before it publishes what comes next.
  tell_read();
  if (publishing == stage_of::leaving && try_send_all()) publishing = stage_of::nothing;
  publishing == stage_of::packing || (lent != nullptr && told_read_ < finished) ? take_off() : land();
  return publishing == stage_of::nothing;
}

/// By whoever waits for something else meanwhile.
bool published_layouts::state::advance() {
  drive();
  return !in_flight();
}

/// Whose bytes this rank's device has read, those may pack the next ones there.
void published_layouts::state::tell_read() {
  if (lent == nullptr || arriving->device == nullptr) return;
  const auto read = arriving->device->last_read();
  if (read != std::exchange(told_read_, read)) lent->take(read);
}

/// Telling another node waits for what was put there: before that, everything is on its way, and this node has been
/// told.
bool published_layouts::state::try_send_all() {
  const auto is_far = [&](const outgoing& s) { return segment->memory_of(s.what->peer) == nullptr; };
  for (auto& s : sends)
    if (is_far(s)) put(s);
  bool all = true;
  for (const bool far : {false, true})
    for (auto& s : sends) {
      if (is_far(s) != far) continue;
      put(s);
      s.side.try_notify(at_once, [&](std::uint32_t word) { segment->notify(s.what->peer, s.arrival, word); });
      s.side.try_end(at_once);
      all = all && s.side.now() == sending::done;
    }
  return all;
}

void published_layouts::state::put(outgoing& s) {
  s.side.try_put([&](std::uint64_t slot) {
    const measured_copy copy(counts.get());
    const int to = s.what->peer;
    auto* const theirs = segment->memory_of(to);
    fill(s, theirs != nullptr ? theirs + s.slots[slot] : s.wire.data());
    if (theirs == nullptr) segment->write(to, s.slots[slot], s.wire);
  });
}

void published_layouts::state::fill(outgoing& s, std::byte* slot) const {
  const plans::field_table fields(leaving->fields);
  auto& head = head_of(slot);
  auto* const data = slot + s.data;
  s.parts.packed.pack(fields, data);
  head.in_place = 0;
  if (!s.parts.groups.empty()) head.claim.open();
  for (const auto& group : s.parts.groups) {
    const auto f = static_cast<std::size_t>(group.field);
    const auto place = places->of(fields[f]);
    std::memcpy(slot + sizeof head + f * sizeof place, &place, sizeof place);
    if (place == node_places::nowhere)
      group.packed.pack(fields, data + group.offset);
    else
      head.in_place = 1;
  }
}

bool published_layouts::state::have_all_read() {
  const auto mine = turn::of_owner(*this);
  return drive() && std::all_of(sends.begin(), sends.end(), [&](const auto& s) { return s.side.has_read(published); });
}

void published_layouts::state::append_who_has_not_read(std::vector<int>& ranks) {
  const auto mine = turn::of_owner(*this);
  if (publishing == stage_of::packing && !has_packed())
    throw error(error_kind::timeout, called,
                detail::text("publication ", published, " still waits for the device of this rank to pack"),
                comm.rank(), {comm.rank()});
  const bool waits_for_room = publishing == stage_of::waiting_for_room;
  const auto is_waited_for = [&](const outgoing& s) {
    if (waits_for_room) return !s.side.has_room();
    return goes_on ? s.side.now() != sending::done : !s.side.has_read(published);
  };
  for (const auto& s : sends)
    if (is_waited_for(s)) ranks.push_back(s.what->peer);
  if (lent != nullptr && waits_for_room) lent->append_late_readers(0, ranks);
}

// Reading.

/// It does not return before what this rank has published is on its way: nobody else may drive that afterwards.
bool published_layouts::state::try_read(plans::field_table fields) {
  const auto mine = turn::of_owner(*this);
  if (reading == reading_of::nothing) begin_reading(fields);
  drive();
  if (reading == reading_of::arriving) {
    if (!bring_in()) return false;
    if (arriving->device != nullptr) arriving->device->end();
    reading = reading_of::unpacking;
  }
  if (publishing == stage_of::packing) return false;
  if (arriving->device != nullptr && !arriving->device->is_delivered()) return false;
  reading = reading_of::nothing;
  ++finished;
  drive();
  return true;
}

void published_layouts::state::begin_reading(plans::field_table fields) {
  auto* const device = arriving->device.get();
  set_fields(*arriving, fields);
  if (device != nullptr) device->begin();
  ++readings;
  for (auto& r : receives) r.side.begin(readings);
  reading = reading_of::arriving;
  stage_read = 0;
  has_left = has_copied_own = false;
  if (device == nullptr) return;
  try {
    leave_stage();
  } catch (...) {
    device->started_in_vain();
    throw;
  }
  device->started();
}

/// What goes to oneself, as far as a device reads it.
void published_layouts::state::leave_stage() {
  if (has_left) return;
  if (arriving->device != nullptr) arriving->device->leave(stage_read, true);
  has_left = true;
}

/// May the host touch what it shares with the device? Not before that has packed what the host copies, and has read
/// what arrived the last time.
bool published_layouts::state::is_the_hosts_turn() const {
  auto* const device = arriving->device.get();
  if (device == nullptr) return true;
  if (!to_oneself[stage_read].empty()) return device->has_left(stage_read);
  return receives.empty() || stage_read > 0 || device->last_read() + 1 >= readings;
}

bool published_layouts::state::bring_in() {
  auto* const device = arriving->device.get();
  for (; stage_read < to_oneself.size(); ++stage_read) {
    leave_stage();
    if (!is_the_hosts_turn()) return false;
    if (!std::exchange(has_copied_own, true)) {
      const measured_copy copy(counts.get());
      to_oneself[stage_read].run(arriving->fields, arriving->fields);
    }
    if (stage_read == 0 && !receive_all()) return false;
    if (device != nullptr) device->arrive(stage_read);
    has_left = has_copied_own = false;
  }
  return true;
}

bool published_layouts::state::receive_all() {
  bool all = lent == nullptr || lent->has_arrived(0, readings);
  for (auto& r : receives) all = try_receive(r) && all;
  return all;
}

bool published_layouts::state::try_receive(incoming& r) {
  const auto take_slot = [&](std::uint64_t slot) {
    const measured_copy copy(counts.get());
    take(r, segment->memory().data() + r.slots[slot]);
  };
  r.side.try_receive(
      take_slot, [&](std::uint32_t word) { segment->notify(r.what->peer, r.acknowledgement, word); }, at_once);
  return r.side.now() == receiving::done;
}

void published_layouts::state::take(incoming& r, std::byte* slot) {
  const plans::field_table fields(arriving->fields);
  auto& head = head_of(slot);
  if (head.in_place != 0 && !head.claim.try_read())
    throw error(error_kind::state, called,
                detail::text("rank ", r.what->peer, " has withdrawn publication ", readings,
                             ": its layouts were destroyed before this rank had read them"),
                comm.rank(), {r.what->peer});
  r.parts.packed.unpack(fields, slot + r.data);
  for (const auto& group : r.parts.groups) {
    const auto f = static_cast<std::size_t>(group.field);
    std::uint64_t place = 0;
    std::memcpy(&place, slot + sizeof head + f * sizeof place, sizeof place);
    r.their_fields[f] = places->at(r.node_index, place);
    if (place == node_places::nowhere) group.packed.unpack(fields, slot + r.data + group.offset);
  }
  if (head.in_place != 0) r.in_place.run(r.their_fields, fields);
}

void published_layouts::state::append_who_has_not_published(std::vector<int>& ranks) {
  const auto mine = turn::of_owner(*this);
  const auto* const device = arriving->device.get();
  if (device != nullptr && (reading == reading_of::unpacking || !is_the_hosts_turn()))
    throw error(error_kind::timeout, called,
                detail::text("reading ", readings, " still waits for the device of this rank"), comm.rank(),
                {comm.rank()});
  for (const auto& r : receives)
    if (r.side.now() != receiving::done) ranks.push_back(r.what->peer);
  if (lent != nullptr) lent->append_late_senders(0, readings, ranks);
}

// The end.

published_layouts::state::~state() {
  drive_alone();
  // What the devices share with those of the peers goes when they are done with it.
  for (auto* one : {&leaving, &arriving})
    if (*one && (*one)->device != nullptr) (*one)->device->finish();
  if (lent != nullptr && arriving->device != nullptr) lent->take(arriving->device->last_ended());
  lent.reset();
}

void published_layouts::state::send_what_is_packed() noexcept {
  if (leaving->device == nullptr) return;
  leaving->device->finish();
  const auto mine = turn::of_owner(*this);
  try {
    take_failure();
    drive();
  } catch (...) {  // a device has failed: who waits for this rank learns nothing more
  }
}

/// What a neighbour has not begun to read it never will; what it reads just now is waited for. What a device has packed
/// it gets.
void published_layouts::state::withdraw_all() noexcept try {
  send_what_is_packed();
  patience patient(comm, called, "readers of what is withdrawn", published);
  for (const auto& s : sends) {
    auto* const theirs = segment->memory_of(s.what->peer);
    if (s.parts.groups.empty() || theirs == nullptr) continue;
    const auto last = s.side.now() == sending::done ? published : published - 1;
    for (auto number = last < 2 ? std::uint64_t{1} : last - 1; number <= last; ++number) {
      auto& head = head_of(theirs + s.slots[number & 1]);
      if (head.in_place == 0 || s.side.has_read(number) || head.claim.try_withdraw()) continue;
      while (!s.side.has_read(number))
        patient.pause([&](std::vector<int>& missing) { missing.push_back(s.what->peer); });
    }
  }
} catch (const error&) {
  // It reads for longer than WHERRY_TIMEOUT: what it gets is lost, as its error will say.
}

}  // namespace wherry
