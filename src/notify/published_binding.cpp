// What the ranks tell each other of their layouts, once.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/device/device.hpp"

#include "core/cache_line.hpp"
#include "core/called.hpp"
#include "core/collective.hpp"
#include "core/terms.hpp"
#include "core/trace.hpp"
#include "flight/companions.hpp"
#include "published_state.hpp"
#include "transport/bind_mail.hpp"
#include "transport/compare_messages.hpp"
#include "transport/one_copy_row.hpp"

namespace wherry {
namespace {

constexpr const char* in_published_binding = "published_layouts";
constexpr std::size_t line = 64;

/// What the sender tells the receiver at set-up; its blocks that may be read in place follow.
struct sender_ticket {
  std::uint64_t fields = 0, blocks = 0, shareable = 0;
  std::uint64_t windows = 0;         // what the sender takes for its parts of them
  std::int64_t acknowledgement = 0;  // the notification of the sender's that says that one is read
};
/// The answer; which blocks are read in place follows.
struct receiver_ticket {
  std::uint64_t slots[2]{};
  std::int64_t arrival = 0;
};

/// The slot of a message: the head with a place a field, each part of the message on cache lines of its own.
struct slot_layout {
  std::size_t data, bytes;
  slot_layout(std::size_t fields, const plans::message& m, const plans::schedule& plan)
      : data(in_lines(sizeof(slot_head) + fields * sizeof(std::uint64_t))),
        bytes(data + in_lines(static_cast<std::size_t>(plan.bytes_of(m))) + (fields + 1) * line) {}
};

}  // namespace

published_layouts::state::direction::direction(const communicator& comm, const wherry::plans::schedule& users,
                                               const wherry::plans::schedule& half, plans::functions& code)
    : device(device_fields::of(comm, half, code, false)),
      plan(device != nullptr ? device->on_host() : users),
      kernels(plan),
      fields(plan.fields.size(), nullptr) {}

published_layouts::state::state(const communicator& on, wherry::plans::schedule what, const published_options& how)
    : comm(on), name(how.name), called(full_name(in_published_binding, how.name)), plan(std::move(what)) {
  told_as(called, in_published_binding, [&] { bind(how); });
}

void published_layouts::state::bind(const published_options& how) {
  const int tag = comm.next_tag();
  if (plan.stages.empty()) plan.stages.emplace_back();
  double lendable = 0, others = 0;
  const auto mine = detail::error_of(comm, in_published_binding, [&] {
    check();
    places.emplace(comm, how.windows, in_published_binding);
    find_devices();
    const bool has_any = has_messages_of_node();
    lendable = has_any && can_lend() ? 1 : 0;
    others = has_any && !can_lend() ? 1 : 0;
  });
  const terms agreed([&](auto& say) {
    for (const auto& s : settings_that_must_agree()) say(s.value, s.name);
    say(how.windows.size(), "how many windows there are");
  });
  const auto sums = told_as(full_name(plan.pattern, name), plan.pattern,
                            [&] { return compare_messages(comm, plan, code, mine, agreed, {lendable, others}); });
  if (sums[0] > 0 && sums[1] > 0) why_not_lent = "some rank has messages that are not all in device memory";
  if (sums[0] > 0 && sums[1] == 0) bind_lent(tag);
  for (auto* one : {&leaving, &arriving})
    if ((*one)->device != nullptr) (*one)->device->settle();
  // The sender's head has a place for each of its fields, of which there may be more than here.
  const auto fields =
      patient::allreduce(comm, in_published_binding, std::vector{leaving->plan.fields.size()}, patient::most)[0];
  detail::collectively(comm, in_published_binding, [&] { lay_out(fields); });
  const auto notifications = static_cast<int>(sends.size() + receives.size());
  const int most = patient::allreduce(comm, in_published_binding, std::vector{notifications}, patient::most)[0];
  segment = std::make_unique<byte_segment>(comm, segment_bytes,
                                           segment_options{.notifications = most, .counted = false, .name = name});
  meet(tag);
  if (current_settings().statistics != "0" || trace_is_on()) counts = std::make_unique<detail::segment_counts>();
  if (trace_is_on()) counts->traced = trace_register({called, transport()});
  if (leaving->device != nullptr) drive_in_waits();
}

/// Each direction by itself: one may be several steps ahead of the other.
void published_layouts::state::find_devices() {
  wherry::plans::schedule half = plan;
  for (auto& part : half.stages) part.receives.clear(), part.copies.clear();
  leaving.emplace(comm, plan, half, code);
  half.stages = plan.stages;
  for (auto& part : half.stages) part.sends.clear();
  arriving.emplace(comm, plan, half, code);
}

bool published_layouts::state::has_messages_of_node() const {
  const auto is_near = [&](const plans::message& m) { return comm.node_index(m.peer) >= 0; };
  const auto& only = plan.stages[0];
  return std::any_of(only.sends.begin(), only.sends.end(), is_near) ||
         std::any_of(only.receives.begin(), only.receives.end(), is_near);
}

bool published_layouts::state::can_lend() const {
  return leaving->device != nullptr && leaving->device->packed(true).is_all_on_device() &&
         arriving->device->packed(true).is_all_on_device();
}

/// Collective. Where one rank's device cannot, no rank's does.
void published_layouts::state::bind_lent(int tag) {
  const auto near = [&](const direction& of) {
    std::vector<plans::stage> part(1);
    for (auto list : {&plans::stage::sends, &plans::stage::receives})
      for (const auto& m : of.plan.stages[0].*list)
        if (comm.node_index(m.peer) >= 0) (part[0].*list).push_back(m);
    return part;
  };
  const auto leaves = near(*leaving), arrives = near(*arriving);
  try {
    detail::collectively(comm, in_published_binding, [&] {
      lent = std::make_unique<lent_messages>(comm);
      lent->bind(request(*leaving, leaves, tag), request(*arriving, arrives, tag));
    });
    if (arriving->device != nullptr) arriving->device->packed(true).leave_at_peers();
  } catch (const error& failure) {
    lent.reset();
    if (failure.kind() != error_kind::resource) throw;
    why_not_lent = failure.text();
    detail::collectively(comm, in_published_binding, [&] {
      for (auto* one : {&leaving, &arriving})
        if ((*one)->device != nullptr) (*one)->device->packed(true).place(packed_memory::where::pinned);
    });
  }
}

transports::bind_request published_layouts::state::request(direction& of, const std::vector<plans::stage>& stages,
                                                           int tag) const {
  return {comm, of.plan, stages, of.kernels, code, tag, false, true, of.device.get()};
}

void published_layouts::state::check() const {
  const auto refuse = [&](std::string_view why) {
    throw error(error_kind::argument, in_published_binding, why, comm.rank());
  };
  plan.validate(comm.rank(), comm.size());
  for (std::size_t i = 1; i < plan.stages.size(); ++i)
    if (!plan.stages[i].sends.empty() || !plan.stages[i].receives.empty())
      refuse("'plan' has messages in several stages, but everything is published at once");
  const auto is_called = [&](const plans::block_row& row) { return plan.what(row).kind == plans::block::form::called; };
  for (const auto& part : plan.stages) {
    for (const auto& m : part.receives)
      if (m.operation != detail::store) refuse("'plan' has operations on arrival, but layouts can only be read");
    for (const auto& list : part.copies)
      if (list.operation != detail::store) refuse("'plan' has operations on arrival, but layouts can only be read");
  }
  if (std::any_of(plan.rows.begin(), plan.rows.end(), is_called))
    refuse("'plan' has gather and scatter functions, which cannot be published");
  const auto is_on_device = [](const plans::field_shape& field) { return field.space == memory_space::device; };
  if (std::any_of(plan.fields.begin(), plan.fields.end(), is_on_device) && device_in_use() == nullptr)
    refuse(detail::text("'plan' has fields in device memory, but there is no device: ", why_no_device()));
}

void published_layouts::state::lay_out(std::size_t most_fields) {
  needed.resize(plan.fields.size(), 0);
  for (const auto& row : plan.rows) needed[static_cast<std::size_t>(row.field)] = 1;
  for (const auto& c : plan.copies)
    for (const auto& side : {c.from, c.to}) needed[static_cast<std::size_t>(side.field)] = 1;
  for (const auto& part : arriving->plan.stages)
    to_oneself.emplace_back(part.copies, arriving->plan, arriving->kernels, code);
  for (const auto& m : arriving->plan.stages.front().receives) {
    if (is_lent(m)) continue;
    auto& r = receives.emplace_back();
    r.what = &m;
    r.node_index = comm.node_index(m.peer);
    r.arrival = static_cast<int>(receives.size()) - 1;
  }
  for (const auto& m : leaving->plan.stages.front().sends) {
    if (is_lent(m)) continue;
    auto& s = sends.emplace_back();
    s.what = &m;
    s.acknowledgement = static_cast<int>(receives.size() + sends.size()) - 1;
  }
  for (auto& r : receives) {
    const slot_layout slot(most_fields, *r.what, arriving->plan);
    r.data = slot.data;
    for (auto& at : r.slots) at = std::exchange(segment_bytes, segment_bytes + in_lines(slot.bytes));
  }
  for (auto& s : sends) s.data = slot_layout(most_fields, *s.what, leaving->plan).data;
}

/// The sender says what may be read in place; the receiver, which knows both sides, decides.
void published_layouts::state::meet(int tag) {
  const auto leaves = request(*leaving, leaving->plan.stages, tag),
             arrives = request(*arriving, arriving->plan.stages, tag);
  const auto row = one_copy_row(plan, plan.stages);
  const int mine_in_node = comm.node_index(comm.rank());
  bind_mail mail(leaves);
  for (const auto& s : sends) {
    const auto shareable = comm.node_index(s.what->peer) < 0 || (comm.arena() == nullptr && !places->has_windows())
                               ? std::vector<std::int32_t>()
                               : shareable_blocks(*s.what, leaves, places->has_windows());
    const sender_ticket ticket{leaving->plan.fields.size(), s.what->count, shareable.size(),
                               places->sizes_of(mine_in_node), s.acknowledgement};
    mail.send(s.what->peer, &ticket, 1);
    mail.send(s.what->peer, shareable.data(), shareable.size());
  }
  for (auto& r : receives) {
    sender_ticket ticket;
    mail.receive(r.what->peer, &ticket, 1);
    std::vector<std::int32_t> theirs(ticket.shareable);
    mail.receive(r.what->peer, theirs.data(), theirs.size());
    const bool means_other_windows = r.node_index >= 0 && ticket.windows != places->sizes_of(r.node_index);
    if (ticket.blocks != r.what->count || means_other_windows) theirs.clear();
    r.acknowledgement = static_cast<int>(ticket.acknowledgement);
    r.their_fields.assign(ticket.fields, nullptr);
    std::vector<std::int32_t> fields;
    auto which = choose_in_place_by_field(theirs, *r.what, arrives, row, fields, r.in_place);
    auto answer = which;
    answer.resize(ticket.blocks, 0);
    r.parts = field_groups(*r.what, std::move(which), fields, arrives);
    for (const auto slot : r.slots) new (segment->memory().data() + slot) slot_head;
    r.side = notified_receiver<>(segment->notifications_of(comm.rank()).at(r.arrival));
    // The sender may publish as soon as it has the answer, so that the slots are ready before that.
    const receiver_ticket mine{{r.slots[0], r.slots[1]}, r.arrival};
    mail.send(r.what->peer, &mine, 1);
    mail.send(r.what->peer, answer.data(), answer.size());
  }
  for (auto& s : sends) {
    receiver_ticket theirs;
    mail.receive(s.what->peer, &theirs, 1);
    std::vector<std::uint8_t> which(s.what->count);
    mail.receive(s.what->peer, which.data(), which.size());
    const auto groups = which.empty() ? std::uint8_t{0} : *std::max_element(which.begin(), which.end());
    if (groups == 0) which.clear();
    std::vector<std::int32_t> fields(groups);
    const auto rows = leaving->plan.rows_of(*s.what);
    for (std::size_t i = 0; i < which.size(); ++i)
      if (which[i] != 0) fields[which[i] - std::size_t{1}] = rows[i].field;
    s.parts = field_groups(*s.what, std::move(which), fields, leaves);
    std::copy(std::begin(theirs.slots), std::end(theirs.slots), s.slots);
    s.arrival = static_cast<int>(theirs.arrival);
    s.side = notified_sender<>(segment->notifications_of(comm.rank()).at(s.acknowledgement));
    if (segment->memory_of(s.what->peer) != nullptr) continue;
    s.wire.resize(s.data + s.parts.bytes());
    new (s.wire.data()) slot_head;
  }
  mail.finish();
}

}  // namespace wherry
