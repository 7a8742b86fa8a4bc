#include "exchange_binding.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "wherry/core/settings.hpp"
#include "wherry/transport/calibration.hpp"

#include "check_functions.hpp"
#include "checking_carrier.hpp"
#include "compare_messages.hpp"
#include "core/called.hpp"
#include "core/trace.hpp"
#include "cut_into_packets.hpp"
#include "flight/companions.hpp"
#include "plan/shape_figures.hpp"

namespace wherry {
namespace {

std::string transport_to_use(const carry_options& options) {
  const auto& forced = current_settings().transport;
  const auto& wanted = forced != "auto" ? forced : options.transport;
  // `shared` would need staging as large as the whole message, which `packet_bytes` is meant to bound.
  return wanted == "auto" && options.packet_bytes > 0 ? "two_sided" : wanted;
}

/// The peers and the bytes of one exchange, for the trace.
class traffic {
 public:
  explicit traffic(const plans::schedule& plan) : plan_(plan) {}

  void add(const plans::stage& part) {
    for (const auto& m : part.sends) sent_ += meet(m);
    for (const auto& m : part.receives) received_ += meet(m);
  }
  std::string as_json() const {
    std::string list;
    for (const int peer : peers_) list += detail::text(list.empty() ? "" : ",", peer);
    return detail::text("\"peers\":[", list, "],\"bytes_sent\":", sent_, ",\"bytes_received\":", received_);
  }

 private:
  /// Counts the bytes of the blocks, as the statistics do. The message itself may have some bytes more between them.
  std::int64_t meet(const plans::message& m) {
    peers_.insert(m.peer);
    std::int64_t bytes = 0;
    for (const auto& row : plan_.rows_of(m)) bytes += wire_bytes_of(plan_.shapes, row.shape);
    return bytes;
  }

  const plans::schedule& plan_;
  std::set<int> peers_;
  std::int64_t sent_ = 0, received_ = 0;
};

bool has_device_fields(const plans::schedule& plan) {
  return std::any_of(plan.fields.begin(), plan.fields.end(),
                     [](const auto& field) { return field.space == memory_space::device; });
}

using shared_schedule = std::shared_ptr<const plans::schedule>;

shared_schedule in_packets(const communicator& comm, shared_schedule plan, const carry_options& options,
                           std::vector<char>& goes_on) {
  if (options.packet_bytes <= 0) return plan;
  auto cut = std::make_shared<plans::schedule>(*plan);
  goes_on = cut_into_packets(comm, *cut, options.packet_bytes);
  return cut;
}

}  // namespace

exchange_binding::exchange_binding(const communicator& where, std::shared_ptr<const plans::schedule> what,
                                   plans::functions with, const carry_options& how,
                                   const std::function<void(const exchange_binding&)>& also)
    : comm(where),
      tag(where.next_tag()),
      kept(in_packets(where, std::move(what), how, is_next_packet)),
      code(std::move(with)),
      on_device(find_device(how)),
      plan(on_device ? on_device->on_host() : *kept),
      called(full_name(plan.pattern, how.name)),
      kernels(plan, how.team),
      options(how),
      choice(transport_to_use(how)),
      fields(plan.fields.size(), nullptr),
      needed(kept->fields.size(), 0) {
  companions::tend_graveyard();
  std::vector<double> prices;
  const auto mine = detail::error_of(comm, plan.pattern, [&] {
    check_plan();
    check_functions(*kept, code, comm.rank());
    if (refused) std::rethrow_exception(refused);
    static_cast<void>(transports::current_calibration());  // so that all ranks learn of an error in its file
    prices = choice.price(plan, comm, code, options, on_device.get());
    compile_copies();
    also(*this);
  });
  choice.decide(compare_messages(comm, *kept, code, mine, terms_of(transport_to_use(options)), prices), plan.pattern,
                comm.rank());
  lanes = bind_lanes(
      {comm, plan, plan.stages, kernels, code, tag, options.snapshot, options.keep_buffers, on_device.get()}, choice);
  if (current_settings().check)
    checker = make_checking_carrier({comm, plan, plan.stages, kernels, code, comm.next_tag(), options.snapshot});
  if (trace_is_on()) show_in_trace();
  list_carriers();
}

void exchange_binding::list_carriers() {
  for (const auto& l : lanes) carriers.push_back({l->carried.get(), l->traced});
  if (checker) carriers.push_back({checker.get(), -1});
  if (own) carriers.push_back({own.get(), -1});
  may_owe = std::any_of(lanes.begin(), lanes.end(), [](const auto& l) { return l->carried->may_owe(); });
  for (std::size_t s = 0; s < plan.stages.size(); ++s)
    waits_in.push_back(has_messages(s) || (checker && s == 0) ? 1 : 0);
}

void exchange_binding::show_in_trace() {
  traffic all(plan);
  for (const auto& l : lanes) {
    traffic of_lane(plan);
    for (const auto& part : l->stages) {
      of_lane.add(part);
      all.add(part);
    }
    l->traced = trace_register({called, l->by->name, of_lane.as_json()});
  }
  traced = trace_register({called, transport(), all.as_json()});
  if (own) own->show_in_trace(traced, starts);
}

std::string exchange_binding::transport() const {
  if (lanes.empty()) return "self";
  std::string names;
  for (const auto& l : lanes) names += (names.empty() ? "" : " + ") + l->by->name;
  return names;
}

void exchange_binding::set_fields(std::span<void* const> table) {
  if (table.size() != needed.size())
    throw error(error_kind::argument, called,
                detail::text(table.size(), " field pointers were given, expected ", needed.size()), comm.rank());
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] == nullptr && needed[i] != 0)
      throw error(error_kind::argument, called,
                  detail::text("the pointer of field ", i, " '", plan.fields[i].name, "' is null"), comm.rank());
  if (!on_device) {
    std::copy(table.begin(), table.end(), fields.begin());
  } else {
    try {
      on_device->set(table, fields);
    } catch (const error& failure) {  // the device knows neither the exchange nor the rank
      throw error(failure.kind(), called, failure.text(), comm.rank());
    }
  }
  if (own) own->set_fields(fields);
}

/// An objection of the device to the plan is kept in `refused` until all ranks can be told.
std::unique_ptr<device_fields> exchange_binding::find_device(const carry_options& how) {
  if (!has_device_fields(*kept)) return nullptr;
  try {
    kept->validate(comm.rank(), comm.size());  // before any code relies on it
    return device_fields::of(comm, *kept, code, how.snapshot);
  } catch (...) {
    refused = std::current_exception();
    return nullptr;
  }
}

/// The terms that must be the same on all ranks.
terms exchange_binding::terms_of(const std::string& transport) const {
  return terms([this, transport](auto& say) {
    for (const auto& s : settings_that_must_agree()) say(s.value, s.name);
    say(transport, "the transport");
    say(choice.rows_there_are(), "the transports that are registered");
    say(options.keep_buffers, "'keep_buffers'");
    say(options.packet_bytes, "'packet_bytes'");
  });
}

void exchange_binding::check_plan() {
  if (options.packet_bytes < 0)
    throw error(error_kind::argument, called,
                detail::text("'packet_bytes' is ", options.packet_bytes, ", expected 0 or more"), comm.rank());
  if (!on_device) kept->validate(comm.rank(), comm.size());  // otherwise `find_device` has validated it
  if (current_settings().check) kept->check_overlaps(comm.rank(), code);
  if (options.snapshot && plan.stages.size() > 1)
    throw error(error_kind::argument, called,
                detail::text("'snapshot' needs a plan of one stage, but this plan has ", plan.stages.size()),
                comm.rank());
  if (on_device || refused) return;
  const auto is_there = [this](const plans::block_row& row) {
    return plan.fields[static_cast<std::size_t>(row.field)].space == memory_space::device;
  };
  const bool any = has_device_fields(plan);
  for (std::size_t i = 0; any && i < plan.copies.size(); ++i)
    if (is_there(plan.copies[i].from) || is_there(plan.copies[i].to))
      throw error(error_kind::argument, called,
                  detail::text("a local copy is in device memory, but there is no device: ", why_no_device()),
                  comm.rank());
}

bool exchange_binding::has_messages(std::size_t stage) const {
  return !plan.stages[stage].sends.empty() || !plan.stages[stage].receives.empty();
}

/// Finds the fields that the plan uses. In most plans these are all fields, and the first rows already show it.
void exchange_binding::find_needed_fields() {
  auto unknown = kept->fields.size();
  const auto need = [&](const plans::block_row& row) {
    unknown -= std::exchange(needed[static_cast<std::size_t>(row.field)], char{1}) == 0 ? 1 : 0;
  };
  for (std::size_t i = 0; unknown > 0 && i < kept->rows.size(); ++i) need(kept->rows[i]);
  for (std::size_t i = 0; unknown > 0 && i < kept->copies.size(); ++i) {
    need(kept->copies[i].from);
    need(kept->copies[i].to);
  }
}

void exchange_binding::compile_copies() {
  find_needed_fields();
  if (options.snapshot) {
    copies_of_snapshot.emplace(plan, kernels, code);
  } else {
    own = std::make_unique<own_copies>(plan, kernels, code);
    if (own->empty()) own.reset();
  }
}

}  // namespace wherry
