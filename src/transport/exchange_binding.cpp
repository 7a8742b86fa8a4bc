// What happens once, when an exchange is bound.
#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "wherry/core/settings.hpp"
#include "wherry/transport/calibration.hpp"

#include "channel/companions.hpp"
#include "check_functions.hpp"
#include "checking_carrier.hpp"
#include "compare_messages.hpp"
#include "core/called.hpp"
#include "core/trace.hpp"
#include "cut_into_packets.hpp"
#include "exchange_state.hpp"
#include "plan/shape_figures.hpp"

namespace wherry {
namespace {

std::string transport_to_use(const carry_options& options) {
  const auto& forced = current_settings().transport;
  const auto& wanted = forced != "auto" ? forced : options.transport;
  // Staging in shared memory is as large as the message: it would not be bounded.
  return wanted == "auto" && options.packet_bytes > 0 ? "two_sided" : wanted;
}

/// With whom, and how much, in one exchange.
class traffic {
 public:
  explicit traffic(const schedule& plan) : plan_(plan) {}

  void add(const stage& part) {
    for (const auto& m : part.sends) sent_ += meet(m);
    for (const auto& m : part.receives) received_ += meet(m);
  }
  std::string as_json() const {
    std::string list;
    for (const int peer : peers_) list += detail::text(list.empty() ? "" : ",", peer);
    return detail::text("\"peers\":[", list, "],\"bytes_sent\":", sent_, ",\"bytes_received\":", received_);
  }

 private:
  /// What the blocks have, as the statistics count; between them a message may have some bytes more.
  std::int64_t meet(const message& m) {
    peers_.insert(m.peer);
    std::int64_t bytes = 0;
    for (const auto& row : plan_.rows_of(m)) bytes += wire_bytes_of(plan_.shapes, row.shape);
    return bytes;
  }

  const schedule& plan_;
  std::set<int> peers_;
  std::int64_t sent_ = 0, received_ = 0;
};

bool has_device_fields(const schedule& plan) {
  return std::any_of(plan.fields.begin(), plan.fields.end(),
                     [](const auto& field) { return field.space == memory_space::device; });
}

using shared_schedule = std::shared_ptr<const schedule>;

shared_schedule in_packets(const communicator& comm, shared_schedule plan, const carry_options& options,
                           std::vector<char>& goes_on) {
  if (options.packet_bytes <= 0) return plan;
  auto cut = std::make_shared<schedule>(*plan);
  goes_on = cut_into_packets(comm, *cut, options.packet_bytes);
  return cut;
}

}  // namespace

exchange::state::state(const communicator& where, std::shared_ptr<const wherry::schedule> what, functions with,
                       const carry_options& how)
    : comm(where),
      tag(where.next_tag()),
      kept(in_packets(where, std::move(what), how, goes_on_)),
      code(std::move(with)),
      on_device(find_device(how)),
      plan(on_device ? on_device->on_host() : *kept),
      called(full_name(plan.pattern, how.name)),
      kernels(plan, how.team),
      options(how),
      choice(transport_to_use(how)),
      measured_(current_settings().statistics != "0" || trace_is_on()),
      fields_(plan.fields.size(), nullptr),
      needed_(kept->fields.size(), 0) {
  companions::tend_graveyard();
  std::vector<double> prices;
  const auto mine = error_of(comm, plan.pattern, [&] {
    check_plan();
    check_functions(*kept, code, comm.rank());
    if (refused_) std::rethrow_exception(refused_);
    static_cast<void>(current_calibration());  // what is wrong with its file all ranks hear
    prices = choice.price(plan, comm, code, options, on_device.get());
    compile_copies();
    attach();
  });
  choice.decide(compare_messages(comm, *kept, code, mine, terms_of(transport_to_use(options)), prices), plan.pattern,
                comm.rank());
  lanes = bind_lanes(
      {comm, plan, plan.stages, kernels, code, tag, options.snapshot, options.keep_buffers, on_device.get()}, choice);
  may_owe_ = std::any_of(lanes.begin(), lanes.end(), [](const auto& l) { return l->carried->may_owe(); });
  if (current_settings().check)
    checker_ = make_checking_carrier({comm, plan, plan.stages, kernels, code, comm.next_tag(), options.snapshot});
  if (trace_is_on()) show_in_trace();
}

/// Whose user may wait for something else while a peer waits for what this owes. A thread drives it anyhow. What a
/// device packs for a snapshot its user goes on with alone.
void exchange::state::join_companions() {
  if (with_companions_ || with_thread_ || (options.snapshot && on_device)) return;
  with_companions_ = attachment(*this, companions::attach, companions::detach);
}

void exchange::state::show_in_trace() {
  traffic all(plan);
  for (const auto& l : lanes) {
    traffic of_lane(plan);
    for (const auto& part : l->stages) {
      of_lane.add(part);
      all.add(part);
    }
    l->traced = trace_register({called, l->by->name, of_lane.as_json()});
  }
  traced_ = trace_register({called, transport(), all.as_json()});
}

/// What it has to say against the plan waits until all ranks can be told.
std::unique_ptr<device_fields> exchange::state::find_device(const carry_options& how) {
  if (!has_device_fields(*kept)) return nullptr;
  try {
    kept->validate(comm.rank(), comm.size());  // before anybody walks through it
    return device_fields::of(comm, *kept, code, how.snapshot);
  } catch (...) {
    refused_ = std::current_exception();
    return nullptr;
  }
}

/// What all ranks must have the same of.
terms exchange::state::terms_of(const std::string& transport) const {
  return terms([this, transport](auto& say) {
    for (const auto& s : settings_that_must_agree()) say(s.value, s.name);
    say(transport, "the transport");
    say(choice.rows_there_are(), "the transports that are registered");
    say(options.keep_buffers, "'keep_buffers'");
    say(options.packet_bytes, "'packet_bytes'");
  });
}

void exchange::state::check_plan() {
  if (options.packet_bytes < 0)
    throw error(error_kind::argument, called, detail::text("packet_bytes is ", options.packet_bytes), comm.rank());
  if (!on_device) kept->validate(comm.rank(), comm.size());  // else it has been
  if (current_settings().check) kept->check_overlaps(comm.rank(), code);
  if (options.snapshot && plan.stages.size() > 1)
    throw error(error_kind::argument, called, "snapshot needs a plan of one stage", comm.rank());
  if (on_device || refused_) return;
  const auto is_there = [this](const block_row& row) {
    return plan.fields[static_cast<std::size_t>(row.field)].space == memory_space::device;
  };
  const bool any = has_device_fields(plan);
  for (std::size_t i = 0; any && i < plan.copies.size(); ++i)
    if (is_there(plan.copies[i].from) || is_there(plan.copies[i].to))
      throw error(error_kind::argument, called, "a copy to oneself is in device memory, and there is no device",
                  comm.rank());
}

/// Before any rank is bound, so that all of them learn it where one has no thread.
void exchange::state::attach() {
  // Messages in later stages leave only when somebody drives the exchange.
  // So do those that are packed by a device.
  for (std::size_t s = on_device && !options.snapshot ? 0 : 1; s < plan.stages.size() && !with_companions_; ++s)
    if (has_messages(s)) with_companions_ = attachment(*this, companions::attach, companions::detach);
  // A snapshot must not arrive before the user's test or wait: others could only send what it owes.
  if ((!options.progress_thread && !current_settings().progress_thread) || options.snapshot) return;
  if (!progress_thread::possible())
    throw error(error_kind::state, called,
                "a progress thread needs MPI_THREAD_MULTIPLE, which MPI was not started with (MPI_Init_thread)",
                comm.rank());
  try {
    with_thread_ = attachment(*this, progress_thread::attach, progress_thread::detach);
  } catch (const std::system_error& failure) {
    throw error(error_kind::resource, called, detail::text("no progress thread is to be had: ", failure.what()),
                comm.rank());
  }
}

bool exchange::state::has_messages(std::size_t number) const {
  return !plan.stages[number].sends.empty() || !plan.stages[number].receives.empty();
}

/// Mostly all are, and the first rows tell.
void exchange::state::find_needed_fields() {
  auto unknown = kept->fields.size();
  const auto need = [&](const block_row& row) {
    unknown -= std::exchange(needed_[static_cast<std::size_t>(row.field)], char{1}) == 0 ? 1 : 0;
  };
  for (std::size_t i = 0; unknown > 0 && i < kept->rows.size(); ++i) need(kept->rows[i]);
  for (std::size_t i = 0; unknown > 0 && i < kept->copies.size(); ++i) {
    need(kept->copies[i].from);
    need(kept->copies[i].to);
  }
}

void exchange::state::compile_copies() {
  find_needed_fields();
  for (const auto& part : plan.stages) {
    if (!options.snapshot) {
      copies_.emplace_back(part.copies, plan, kernels, code);
      continue;
    }
    copies_.emplace_back();
    for (const auto& list : part.copies)
      for (const auto& c : plan.rows_of(list)) {
        snapshot_copy both{detail::message_packing({&c.from, 1}, detail::store, plan, kernels, code),
                           detail::message_packing({&c.to, 1}, list.operation, plan, kernels, code),
                           {}};
        both.buffer.resize(both.out.bytes());
        snapshots_.push_back(std::move(both));
      }
  }
  if (!options.snapshot) may_meet_.add(plan);
}

}  // namespace wherry
