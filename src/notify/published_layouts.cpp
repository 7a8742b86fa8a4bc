#include "wherry/notify/published_layouts.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/plan/functions.hpp"

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

/// Publications are numbered from 1; the number as a notification, which is never 0.
std::uint32_t word_of(std::uint64_t number) { return static_cast<std::uint32_t>((number - 1) % 0xFFFFFFFFu) + 1; }

/// What stands before the data in a slot.
struct slot_head {
  std::uint64_t in_place = 0;  // 1: the second part is to be read from the fields, whose places in the arena follow
};

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
  bool done = true;
};

}  // namespace

struct published_layouts::state {
  state(const communicator& on, wherry::schedule what);

  void check() const;
  void lay_out(std::size_t most_fields);
  void meet(const bind_request& request);
  void require_fields(field_table fields) const;

  void send(outgoing& s, field_table fields);
  void fill(outgoing& s, field_table fields, std::byte* slot) const;
  bool try_receive(incoming& r, field_table fields);
  bool has_read(const outgoing& s, std::uint64_t number) const { return reached(s.acknowledgement, number); }
  /// Whether a notification is this number or the one after; nobody is further ahead.
  bool reached(int id, std::uint64_t number) const {
    const auto now = segment->value(id);
    return number == 0 || now == word_of(number) || now == word_of(number + 1);
  }

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
  std::size_t next_send = 0;  // of a publication that a timeout has cut short
  bool publishing = false, reading = false;
};

published_layouts::published_layouts(const communicator& comm, wherry::schedule plan)
    : state_(std::make_unique<state>(comm, std::move(plan))) {}
published_layouts::published_layouts(published_layouts&&) noexcept = default;
published_layouts& published_layouts::operator=(published_layouts&&) noexcept = default;
published_layouts::~published_layouts() = default;

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
    if (segment->reached(s.what->peer) == nullptr)
      s.wire.resize(s.data + s.parts.in_place_offset + s.parts.in_place.bytes());
  }
  mail.finish();
}

// ----------------------------------------------------------------------------------------------------------- each step

void published_layouts::publish(field_table fields) {
  auto& s = *state_;
  s.require_fields(fields);
  if (!std::exchange(s.publishing, true)) {
    ++s.published;
    s.next_send = 0;
  }
  patience patient(s.comm, where, "publication", s.published);
  for (; s.next_send < s.sends.size(); ++s.next_send) {
    auto& next = s.sends[s.next_send];
    const auto slot_is_free = [&] { return s.published <= 2 || s.has_read(next, s.published - 2); };
    while (!slot_is_free()) patient.pause([&](std::vector<int>& missing) { missing.push_back(next.what->peer); });
    s.send(next, fields);
  }
  s.publishing = false;
}

void published_layouts::read(field_table fields) {
  auto& s = *state_;
  s.require_fields(fields);
  if (!std::exchange(s.reading, true)) {
    ++s.readings;
    for (auto& r : s.receives) r.done = false;
    if (!s.to_oneself.empty()) s.to_oneself.front().run(fields, fields);
  }
  patience patient(s.comm, where, "reading", s.readings);
  for (;;) {
    bool all = true;
    for (auto& r : s.receives) all = (r.done || s.try_receive(r, fields)) && all;
    if (all) break;
    patient.pause([&](std::vector<int>& missing) {
      for (const auto& r : s.receives)
        if (!r.done) missing.push_back(r.what->peer);
    });
  }
  for (std::size_t i = 1; i < s.to_oneself.size(); ++i) s.to_oneself[i].run(fields, fields);
  s.reading = false;
}

void published_layouts::await_readers() {
  auto& s = *state_;
  patience patient(s.comm, where, "readers of publication", s.published);
  for (const auto& one : s.sends)
    while (!s.has_read(one, s.published))
      patient.pause([&](std::vector<int>& missing) {
        for (const auto& other : s.sends)
          if (!s.has_read(other, s.published)) missing.push_back(other.what->peer);
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

void published_layouts::state::send(outgoing& s, field_table fields) {
  const int to = s.what->peer;
  const auto slot = s.slots[published & 1];
  if (auto* const theirs = segment->reached(to)) {
    fill(s, fields, theirs + slot);
    segment->notify(to, s.arrival, word_of(published));
  } else {
    fill(s, fields, s.wire.data());
    segment->write_notify(to, slot, s.wire, s.arrival, word_of(published));
  }
}

void published_layouts::state::fill(outgoing& s, field_table fields, std::byte* slot) const {
  slot_head head;
  if (!s.parts.direct.empty()) {
    head.in_place = 1;
    std::uint64_t place = 0;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto at = comm.arena()->offset_of(fields[f]);
      if (!at && needed[f] != 0) head.in_place = 0;
      place = at.value_or(0);
      std::memcpy(slot + sizeof head + f * sizeof place, &place, sizeof place);
    }
  }
  std::memcpy(slot, &head, sizeof head);
  auto* const data = slot + s.data;
  s.parts.staged.pack(fields, data);
  if (head.in_place == 0) s.parts.in_place.pack(fields, data + s.parts.in_place_offset);
}

bool published_layouts::state::try_receive(incoming& r, field_table fields) {
  if (!reached(r.arrival, readings)) return false;
  const auto* const slot = segment->memory().data() + r.slots[readings & 1];
  r.parts.staged.unpack(fields, slot + r.data);
  slot_head head;
  std::memcpy(&head, slot, sizeof head);
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
  r.done = true;
  segment->notify(r.what->peer, r.acknowledgement, word_of(readings));
  return true;
}

}  // namespace wherry
