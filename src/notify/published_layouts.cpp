#include "wherry/notify/published_layouts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/node_arena.hpp"

#include "channel/measured_wait.hpp"
#include "channel/statistics_report.hpp"
#include "core/patience.hpp"
#include "published_state.hpp"

namespace wherry {
namespace {

using sending = notified_sender<>::phase;
using receiving = notified_receiver<>::phase;
constexpr auto at_once = [] { return true; };  // a segment's notification follows its data

/// False when the caller's own time is up before `poll` is true.
template <class Poll, class AppendMissing>
bool await(patience patient, const communicator& comm, double seconds, const Poll& poll, const AppendMissing& missing) {
  const bool limited = seconds < no_limit;
  if (limited) patient.within(seconds);
  while (!poll()) {
    if (!limited) {
      patient.pause(missing);
    } else if (seconds <= 0) {
      progress_mpi(comm.handle());  // who only looks, again and again, must not keep a put from coming in
      return poll();
    } else if (patient.pause_in_vain()) {
      return false;
    }
  }
  return true;
}

}  // namespace

published_layouts::published_layouts(const communicator& comm, wherry::schedule plan, const published_options& options)
    : state_(std::make_unique<state>(comm, std::move(plan), options)) {}
published_layouts::published_layouts(published_layouts&&) noexcept = default;
published_layouts& published_layouts::operator=(published_layouts&& other) noexcept {
  published_layouts(std::move(other)).state_.swap(state_);
  return *this;
}
published_layouts::~published_layouts() {
  if (!state_) return;
  if (!mpi_has_ended()) state_->withdraw_all();
  if (state_->counts)
    report_statistics(state_->called, transport(), state_->comm.rank(), state_->comm.size(), statistics());
}

const wherry::schedule& published_layouts::schedule() const { return state_->plan; }
exchange_statistics published_layouts::statistics() const {
  const auto& s = *state_;
  const auto steps = static_cast<std::int64_t>(s.finished);
  return {s.finished,
          steps * s.plan.bytes_sent(),
          steps * s.plan.bytes_received(),
          steps * s.plan.bytes_copied(),
          s.counts ? 1e-9 * static_cast<double>(s.counts->nanoseconds_waiting) : 0,
          s.counts ? 1e-9 * static_cast<double>(s.counts->nanoseconds_copying) : 0};
}
std::string published_layouts::transport() const { return state_->transport(); }

std::string published_layouts::state::transport() const {
  bool in_place = false, written = false;
  for (const auto& r : receives) {
    in_place = in_place || r.parts.in_place.bytes() != 0;
    written = written || r.parts.staged.bytes() != 0;
  }
  if (in_place && written) return "read in place + notified writes";
  return in_place ? "read in place" : written ? "notified writes" : "";
}

std::string published_layouts::explain() const {
  std::string out = state_->name.empty() ? "" : text("'", state_->name, "':\n");
  for (const auto& r : state_->receives) {
    const auto direct = std::count(r.parts.direct.begin(), r.parts.direct.end(), 1);
    out += text("from rank ", r.what->peer, ": ", direct, " blocks of ", r.parts.in_place.bytes(), " bytes in place, ",
                static_cast<std::ptrdiff_t>(r.what->count) - direct, " of ", r.parts.staged.bytes(),
                " bytes by notified write\n");
  }
  return out;
}

bool published_layouts::publish(field_table fields, double seconds) {
  auto& s = *state_;
  s.require_fields(fields);
  if (!std::exchange(s.publishing, true)) {
    ++s.published;
    for (auto& next : s.sends) next.side.begin(s.published);
  }
  const measured_wait wait(s.counts.get(), "publish", s.published);
  const auto missing = [&](std::vector<int>& ranks) {
    for (const auto& one : s.sends)
      if (one.side.now() != sending::done) ranks.push_back(one.what->peer);
  };
  const auto all_sent = [&] { return s.try_send_all(fields); };
  s.publishing = !await({s.comm, s.called, "publication", s.published}, s.comm, seconds, all_sent, missing);
  return !s.publishing;
}

bool published_layouts::read(field_table fields, double seconds) {
  auto& s = *state_;
  s.require_fields(fields);
  if (!std::exchange(s.reading, true)) {
    ++s.readings;
    for (auto& r : s.receives) r.side.begin(s.readings);
    if (!s.to_oneself.empty()) {
      const measured_copy copy(s.counts.get());
      s.to_oneself.front().run(fields, fields);
    }
  }
  const measured_wait wait(s.counts.get(), "read", s.readings);
  const auto missing = [&](std::vector<int>& ranks) {
    for (const auto& r : s.receives)
      if (r.side.now() != receiving::done) ranks.push_back(r.what->peer);
  };
  const auto all_received = [&] {
    bool all = true;
    for (auto& r : s.receives) all = s.try_receive(r, fields) && all;
    return all;
  };
  if (!await({s.comm, s.called, "reading", s.readings}, s.comm, seconds, all_received, missing)) return false;
  for (std::size_t i = 1; i < s.to_oneself.size(); ++i) {
    const measured_copy copy(s.counts.get());
    s.to_oneself[i].run(fields, fields);
  }
  s.reading = false;
  ++s.finished;
  return true;
}

bool published_layouts::await_readers(double seconds) {
  auto& s = *state_;
  const measured_wait wait(s.counts.get(), "await readers", s.published);
  const auto missing = [&](std::vector<int>& ranks) {
    for (const auto& one : s.sends)
      if (!one.side.has_read(s.published)) ranks.push_back(one.what->peer);
  };
  const auto all_read = [&] {
    return std::all_of(s.sends.begin(), s.sends.end(), [&](const auto& one) { return one.side.has_read(s.published); });
  };
  return await({s.comm, s.called, "readers of publication", s.published}, s.comm, seconds, all_read, missing);
}

void published_layouts::state::require_fields(field_table fields) const {
  if (fields.size() != plan.fields.size())
    throw error(error_kind::argument, called,
                text("'fields' has ", fields.size(), " addresses, and the plan ", plan.fields.size(), " fields"),
                comm.rank());
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (needed[f] != 0 && fields[f] == nullptr)
      throw error(error_kind::argument, called, text("the address of field ", f, " is null"), comm.rank());
}

/// Telling another node waits for what was put there: before that, everything is on its way, and this node has been
/// told.
bool published_layouts::state::try_send_all(field_table fields) {
  const auto is_far = [&](const outgoing& s) { return segment->reached(s.what->peer) == nullptr; };
  for (auto& s : sends)
    if (is_far(s)) put(s, fields);
  bool all = true;
  for (const bool far : {false, true})
    for (auto& s : sends) {
      if (is_far(s) != far) continue;
      put(s, fields);
      s.side.try_notify(at_once, [&](std::uint32_t word) { segment->notify(s.what->peer, s.arrival, word); });
      s.side.try_end(at_once);
      all = all && s.side.now() == sending::done;
    }
  return all;
}

void published_layouts::state::put(outgoing& s, field_table fields) {
  s.side.try_put([&](std::uint64_t slot) {
    const measured_copy copy(counts.get());
    const int to = s.what->peer;
    auto* const theirs = segment->reached(to);
    fill(s, fields, theirs != nullptr ? theirs + s.slots[slot] : s.wire.data());
    if (theirs == nullptr) segment->write(to, s.slots[slot], s.wire);
  });
}

void published_layouts::state::fill(outgoing& s, field_table fields, std::byte* slot) const {
  auto& head = head_of(slot);
  head.in_place = s.parts.direct.empty() ? 0 : 1;
  if (head.in_place != 0) {
    head.claim.open();
    std::uint64_t place = 0;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto at = comm.arena()->offset_of(fields[f]);
      if (!at && needed[f] != 0) head.in_place = 0;
      place = at.value_or(0);
      std::memcpy(slot + sizeof head + f * sizeof place, &place, sizeof place);
    }
  }
  auto* const data = slot + s.data;
  s.parts.staged.pack(fields, data);
  if (head.in_place == 0) s.parts.in_place.pack(fields, data + s.parts.in_place_offset);
}

bool published_layouts::state::try_receive(incoming& r, field_table fields) {
  const auto take_slot = [&](std::uint64_t slot) {
    const measured_copy copy(counts.get());
    take(r, fields, segment->memory().data() + r.slots[slot]);
  };
  r.side.try_receive(
      take_slot, [&](std::uint32_t word) { segment->notify(r.what->peer, r.acknowledgement, word); }, at_once);
  return r.side.now() == receiving::done;
}

void published_layouts::state::take(incoming& r, field_table fields, std::byte* slot) {
  auto& head = head_of(slot);
  if (head.in_place != 0 && !head.claim.try_read())
    throw error(error_kind::state, called,
                text("rank ", r.what->peer, " has withdrawn publication ", readings,
                     ": its layouts went before they were read"),
                comm.rank(), {r.what->peer});
  r.parts.staged.unpack(fields, slot + r.data);
  if (head.in_place != 0) {
    for (std::size_t f = 0; f < r.their_fields.size(); ++f) {
      std::uint64_t place = 0;
      std::memcpy(&place, slot + sizeof head + f * sizeof place, sizeof place);
      r.their_fields[f] = comm.arena()->address(r.node_index, static_cast<std::size_t>(place));
    }
    r.in_place.run(r.their_fields, fields);
  } else if (!r.parts.direct.empty()) {
    r.parts.in_place.unpack(fields, slot + r.data + r.parts.in_place_offset);
  }
}

/// What a neighbour has not begun to read it never will; what it reads just now is waited for.
void published_layouts::state::withdraw_all() noexcept try {
  patience patient(comm, called, "readers of what is withdrawn", published);
  for (const auto& s : sends) {
    auto* const theirs = segment->reached(s.what->peer);
    if (s.parts.direct.empty() || theirs == nullptr) continue;
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
