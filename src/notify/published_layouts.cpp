#include "wherry/notify/published_layouts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/plan/functions.hpp"

#include "channel/notified_channel.hpp"
#include "channel/read_claim.hpp"
#include "core/collective.hpp"
#include "core/patience.hpp"
#include "core/terms.hpp"
#include "transport/bind_mail.hpp"
#include "transport/compare_messages.hpp"
#include "transport/in_place_blocks.hpp"
#include "transport/one_copy_row.hpp"

namespace wherry {
namespace {

constexpr const char* where = "published_layouts";
constexpr std::size_t line = 64;
constexpr std::size_t in_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

/// What stands before the data in a slot.
struct slot_head {
  std::uint64_t in_place = 0;  // 1: the second part is to be read from the fields, whose places in the arena follow
  read_claim<> claim;          // of that
};
slot_head& head_of(std::byte* slot) { return *std::launder(reinterpret_cast<slot_head*>(slot)); }

/// What the sender tells the receiver at set-up; its blocks that may be read in place follow.
struct sender_ticket {
  std::uint64_t fields = 0, blocks = 0, shareable = 0;
  std::int64_t acknowledgement = 0;  // the notification of the sender's that says that one is read
};
/// The answer; which blocks are read in place follows.
struct receiver_ticket {
  std::uint64_t slots[2]{};
  std::int64_t arrival = 0;
};

/// The slot of a message: the head with a place a field, either part of the message on cache lines of its own.
struct slot_layout {
  std::size_t data, bytes;
  slot_layout(std::size_t fields, const message& m, const schedule& plan)
      : data(in_lines(sizeof(slot_head) + fields * sizeof(std::uint64_t))),
        bytes(data + in_lines(static_cast<std::size_t>(plan.bytes_of(m))) + line) {}
};

struct outgoing {
  const message* what = nullptr;
  message_parts parts;
  std::size_t slots[2]{};  // in the receiver's segment
  int arrival = 0;         // the receiver's notification
  int acknowledgement = 0;
  notified_sender<> side;
  std::size_t data = 0;         // where it begins in a slot
  std::vector<std::byte> wire;  // a slot, for a receiver that is not reached by stores
};

struct incoming {
  const message* what = nullptr;
  int node_index = -1;
  message_parts parts;
  planned_copies in_place;
  std::size_t slots[2]{};
  int arrival = 0;
  int acknowledgement = 0;  // the sender's notification
  std::size_t data = 0;
  std::vector<void*> their_fields;
  notified_receiver<> side;
};

using sending = notified_sender<>::phase;
using receiving = notified_receiver<>::phase;
constexpr auto at_once = [] { return true; };  // a segment's notification follows its data

}  // namespace

struct published_layouts::state {
  state(const communicator& on, wherry::schedule what);

  void check() const;
  void lay_out(std::size_t most_fields);
  void meet(const bind_request& request);
  void require_fields(field_table fields) const;

  bool try_send(outgoing& s, field_table fields);
  void fill(outgoing& s, field_table fields, std::byte* slot) const;
  bool try_receive(incoming& r, field_table fields);
  void take(incoming& r, field_table fields, std::byte* slot);
  void withdraw_all() noexcept;

  communicator comm;
  wherry::schedule plan;
  functions code;
  shape_kernels kernels;
  std::vector<direct_copies> to_oneself;  // a stage each; those of the first wait for nobody
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  std::size_t segment_bytes = 0;
  std::unique_ptr<byte_segment> segment;
  std::vector<std::byte> bounce;
  std::vector<char> needed;
  std::uint64_t published = 0, readings = 0;
  bool publishing = false, reading = false;  // one that a timeout has cut short goes on
};

published_layouts::published_layouts(const communicator& comm, wherry::schedule plan)
    : state_(std::make_unique<state>(comm, std::move(plan))) {}
published_layouts::published_layouts(published_layouts&&) noexcept = default;
published_layouts& published_layouts::operator=(published_layouts&& other) noexcept {
  published_layouts(std::move(other)).state_.swap(state_);
  return *this;
}
published_layouts::~published_layouts() {
  if (state_ && !mpi_has_ended()) state_->withdraw_all();
}

const wherry::schedule& published_layouts::schedule() const { return state_->plan; }

std::string published_layouts::explain() const {
  std::string out;
  for (const auto& r : state_->receives) {
    const auto direct = std::count(r.parts.direct.begin(), r.parts.direct.end(), 1);
    out += text("from rank ", r.what->peer, ": ", direct, " blocks of ", r.parts.in_place.bytes(), " bytes in place, ",
                static_cast<std::ptrdiff_t>(r.what->count) - direct, " of ", r.parts.staged.bytes(),
                " bytes by notified write\n");
  }
  return out;
}

// -------------------------------------------------------------------------------------------------------------- set-up

published_layouts::state::state(const communicator& on, wherry::schedule what)
    : comm(on), plan(std::move(what)), kernels(plan), bounce(shape_kernels::piece_bytes) {
  const int tag = comm.next_tag();
  const auto mine = error_of(comm, where, [&] { check(); });
  const terms agreed([](auto& say) {
    for (const auto& s : settings_that_must_agree()) say(s.value, s.name);
  });
  compare_messages(comm, plan, code, mine, agreed, {});
  // The sender's head has a place for each of its fields, of which there may be more than here.
  const auto fields = patient::allreduce(comm, where, std::vector{plan.fields.size()}, patient::most)[0];
  collectively(comm, where, [&] { lay_out(fields); });
  const auto notifications = static_cast<int>(sends.size() + receives.size());
  const int most = patient::allreduce(comm, where, std::vector{notifications}, patient::most)[0];
  segment = std::make_unique<byte_segment>(comm, segment_bytes, segment_options{most});
  meet({comm, plan, plan.stages, kernels, code, tag, false});
}

void published_layouts::state::check() const {
  const auto refuse = [&](std::string_view why) { throw error(error_kind::argument, where, why, comm.rank()); };
  plan.validate(comm.rank(), comm.size());
  for (std::size_t i = 1; i < plan.stages.size(); ++i)
    if (!plan.stages[i].sends.empty() || !plan.stages[i].receives.empty())
      refuse("the plan has messages in several stages: what is published is there at once");
  const auto is_called = [&](const block_row& row) { return plan.what(row).kind == block::form::called; };
  for (const auto& part : plan.stages) {
    for (const auto& m : part.receives)
      if (m.operation != store) refuse("the plan has operations on arrival, and layouts are only read");
    for (const auto& list : part.copies)
      if (list.operation != store) refuse("the plan has operations on arrival, and layouts are only read");
  }
  if (std::any_of(plan.rows.begin(), plan.rows.end(), is_called)) refuse("the plan has blocks of the user's code");
  for (const auto& field : plan.fields)
    if (field.space == memory_space::device) refuse("the plan has fields in device memory");
}

void published_layouts::state::lay_out(std::size_t most_fields) {
  needed.resize(plan.fields.size(), 0);
  for (const auto& row : plan.rows) needed[static_cast<std::size_t>(row.field)] = 1;
  for (const auto& c : plan.copies)
    for (const auto& side : {c.from, c.to}) needed[static_cast<std::size_t>(side.field)] = 1;
  if (plan.stages.empty()) return;
  const auto& only = plan.stages.front();
  for (const auto& part : plan.stages) to_oneself.emplace_back(part.copies, plan, kernels, code);
  for (const auto& m : only.receives) {
    auto& r = receives.emplace_back();
    r.what = &m;
    r.node_index = comm.node_index(m.peer);
    r.arrival = static_cast<int>(receives.size()) - 1;
  }
  for (const auto& m : only.sends) {
    auto& s = sends.emplace_back();
    s.what = &m;
    s.acknowledgement = static_cast<int>(receives.size() + sends.size()) - 1;
  }
  for (auto& r : receives) {
    const slot_layout slot(most_fields, *r.what, plan);
    r.data = slot.data;
    for (auto& at : r.slots) at = std::exchange(segment_bytes, segment_bytes + in_lines(slot.bytes));
  }
  for (auto& s : sends) s.data = slot_layout(most_fields, *s.what, plan).data;
}

/// The sender says what may be read in place; the receiver, which knows both sides, decides.
void published_layouts::state::meet(const bind_request& request) {
  const auto row = one_copy_row(plan, plan.stages);
  bind_mail mail(request);
  for (const auto& s : sends) {
    const auto shareable = comm.node_index(s.what->peer) < 0 || comm.arena() == nullptr
                               ? std::vector<shareable_block>()
                               : shareable_blocks(*s.what, request);
    const sender_ticket ticket{plan.fields.size(), s.what->count, shareable.size(), s.acknowledgement};
    mail.send(s.what->peer, &ticket, 1);
    mail.send(s.what->peer, shareable.data(), shareable.size());
  }
  for (auto& r : receives) {
    sender_ticket ticket;
    mail.receive(r.what->peer, &ticket, 1);
    std::vector<shareable_block> theirs(ticket.shareable);
    mail.receive(r.what->peer, theirs.data(), theirs.size());
    if (ticket.blocks != r.what->count) theirs.clear();
    r.acknowledgement = static_cast<int>(ticket.acknowledgement);
    r.their_fields.assign(ticket.fields, nullptr);
    auto direct = choose_in_place(theirs, *r.what, request, row, r.in_place);
    auto answer = direct;
    answer.resize(ticket.blocks, 0);
    const receiver_ticket mine{{r.slots[0], r.slots[1]}, r.arrival};
    mail.send(r.what->peer, &mine, 1);
    mail.send(r.what->peer, answer.data(), answer.size());
    r.parts = message_parts(*r.what, std::move(direct), request);
    for (const auto slot : r.slots) new (segment->memory().data() + slot) slot_head;
    r.side = notified_receiver<>(segment->notifications_of(comm.rank()).at(r.arrival));
  }
  for (auto& s : sends) {
    receiver_ticket theirs;
    mail.receive(s.what->peer, &theirs, 1);
    std::vector<std::uint8_t> direct(s.what->count);
    mail.receive(s.what->peer, direct.data(), direct.size());
    if (std::find(direct.begin(), direct.end(), 1) == direct.end()) direct.clear();
    s.parts = message_parts(*s.what, std::move(direct), request);
    std::copy(std::begin(theirs.slots), std::end(theirs.slots), s.slots);
    s.arrival = static_cast<int>(theirs.arrival);
    s.side = notified_sender<>(segment->notifications_of(comm.rank()).at(s.acknowledgement));
    if (segment->reached(s.what->peer) != nullptr) continue;
    s.wire.resize(s.data + s.parts.in_place_offset + s.parts.in_place.bytes());
    new (s.wire.data()) slot_head;
  }
  mail.finish();
}

// ----------------------------------------------------------------------------------------------------------- each step

void published_layouts::publish(field_table fields) {
  auto& s = *state_;
  s.require_fields(fields);
  if (!std::exchange(s.publishing, true)) {
    ++s.published;
    for (auto& next : s.sends) next.side.begin(s.published);
  }
  patience patient(s.comm, where, "publication", s.published);
  for (auto& next : s.sends)
    while (!s.try_send(next, fields))
      patient.pause([&](std::vector<int>& missing) { missing.push_back(next.what->peer); });
  s.publishing = false;
}

void published_layouts::read(field_table fields) {
  auto& s = *state_;
  s.require_fields(fields);
  if (!std::exchange(s.reading, true)) {
    ++s.readings;
    for (auto& r : s.receives) r.side.begin(s.readings);
    if (!s.to_oneself.empty()) s.to_oneself.front().run(fields, fields);
  }
  patience patient(s.comm, where, "reading", s.readings);
  for (;;) {
    bool all = true;
    for (auto& r : s.receives) all = s.try_receive(r, fields) && all;
    if (all) break;
    patient.pause([&](std::vector<int>& missing) {
      for (const auto& r : s.receives)
        if (r.side.now() != receiving::done) missing.push_back(r.what->peer);
    });
  }
  for (std::size_t i = 1; i < s.to_oneself.size(); ++i) s.to_oneself[i].run(fields, fields);
  s.reading = false;
}

void published_layouts::await_readers() {
  auto& s = *state_;
  patience patient(s.comm, where, "readers of publication", s.published);
  for (const auto& one : s.sends)
    while (!one.side.has_read(s.published))
      patient.pause([&](std::vector<int>& missing) {
        for (const auto& other : s.sends)
          if (!other.side.has_read(s.published)) missing.push_back(other.what->peer);
      });
}

void published_layouts::state::require_fields(field_table fields) const {
  if (fields.size() != plan.fields.size())
    throw error(error_kind::argument, where,
                text("'fields' has ", fields.size(), " addresses, and the plan ", plan.fields.size(), " fields"),
                comm.rank());
  for (std::size_t f = 0; f < fields.size(); ++f)
    if (needed[f] != 0 && fields[f] == nullptr)
      throw error(error_kind::argument, where, text("the address of field ", f, " is null"), comm.rank());
}

bool published_layouts::state::try_send(outgoing& s, field_table fields) {
  const int to = s.what->peer;
  s.side.try_put([&](std::uint64_t slot) {
    auto* const theirs = segment->reached(to);
    fill(s, fields, theirs != nullptr ? theirs + s.slots[slot] : s.wire.data());
    if (theirs == nullptr) segment->write(to, s.slots[slot], s.wire);
  });
  s.side.try_notify(at_once, [&](std::uint32_t word) { segment->notify(to, s.arrival, word); });
  s.side.try_end(at_once);
  return s.side.now() == sending::done;
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
  r.side.try_receive([&](std::uint64_t slot) { take(r, fields, segment->memory().data() + r.slots[slot]); },
                     [&](std::uint32_t word) { segment->notify(r.what->peer, r.acknowledgement, word); }, at_once);
  return r.side.now() == receiving::done;
}

void published_layouts::state::take(incoming& r, field_table fields, std::byte* slot) {
  auto& head = head_of(slot);
  if (head.in_place != 0 && !head.claim.try_read())
    throw error(error_kind::state, where,
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
  patience patient(comm, where, "readers of what is withdrawn", published);
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
