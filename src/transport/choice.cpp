#include "choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/device/device.hpp"
#include "wherry/transport/calibration.hpp"

#include "device_fields.hpp"

namespace wherry {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

bool wants_device(const plans::schedule& plan) {
  return std::any_of(plan.fields.begin(), plan.fields.end(),
                     [](const auto& field) { return field.space == memory_space::device; });
}

/// True if two rows must not share the messages: each would combine what arrives in an order of its own, and sums of
/// floats would differ.
bool wants_one_order(const plans::schedule& plan, const communicator& comm, const plans::functions& code) {
  return std::any_of(plan.stages.begin(), plan.stages.end(), [&](const plans::stage& part) {
    bool combines = false, from_node = false, from_elsewhere = false;
    for (const auto& m : part.receives) {
      combines = combines || code.combines(m.operation);
      (comm.node_index(m.peer) >= 0 ? from_node : from_elsewhere) = true;
    }
    return combines && from_node && from_elsewhere;
  });
}

/// The reason why `auto` takes this row for no message; empty if it may take it.
std::string refusal(const transports::transport& row, const plans::schedule& plan, const communicator& comm,
                    const carry_options& how, const device_fields* on_device) {
  if (row.estimate == nullptr) return "taken only by name";
  if (row.absence != nullptr && (on_device != nullptr || !row.device_memory || wants_device(plan)))
    if (const auto why = row.absence(); !why.empty()) return why;
  if (!row.device_memory && wants_device(plan)) return "does not reach device memory";
  if (!row.gives_back_buffers && !how.keep_buffers) return "does not give its buffers back";
  if (row.suits != nullptr && !row.suits(plan, comm)) return "made for other plans";
  return {};
}

/// The cost of staging in host memory, for a row that does not reach device memory. It is a guess for a bus of today
/// that has not been measured; its effect is that rows that need no staging are preferred.
double staging_of(const transports::transport& row, const transports::message_load& load) {
  return load.on_device && !row.device_memory ? 2 * (3 + 4e-5 * load.bytes) : 0;
}

double expected(const transports::transport& row, const transports::message_load& load) {
  if (row.node_only && !load.same_node) return never;
  if (row.device_memory && !load.on_device) return never;
  const double microseconds = row.estimate(load) + staging_of(row, load);
  return microseconds >= 0 ? microseconds : never;
}

/// True if the messages of both directions lie in device memory alone. If there is no device, fields that are said to
/// be in device memory are left to rows that support such fields.
bool is_on_device(const device_fields* all, const plans::schedule& plan, bool same_node) {
  return all == nullptr ? wants_device(plan) : all->packed(same_node).is_all_on_device();
}

template <class Visit> void for_each_message(const plans::schedule& plan, const Visit& visit) {
  for (const auto& part : plan.stages)
    for (const auto* list : {&part.sends, &part.receives})
      for (const auto& m : *list) visit(m);
}

const char* name_of(reach whose) {
  if (whose == reach::all) return "all messages";
  return whose == reach::same_node ? "same node" : "other nodes";
}

}  // namespace

// `sums_` holds two numbers for each row, its microseconds on the node and elsewhere, and then four more: the number of
// messages on the node and elsewhere, the number of ranks that need one order, and the number of ranks with a device.
transport_choice::transport_choice(std::string_view name) : name_(name), table_(transports::all_transports()) {}

std::string transport_choice::rows_there_are() const {
  std::string names;
  if (asks_for_one()) return names;
  for (const auto* row : table_) names += (names.empty() ? "" : ", ") + row->name;
  return names;
}

template <class Why>
void transport_choice::refuse_all(std::string_view pattern, int rank, Why&& why, std::string_view also) const {
  std::string said = "no transport can carry it";
  for (std::size_t i = 0; i < table_.size(); ++i)
    said += detail::text(i == 0 ? ": " : "; ", table_[i]->name, ' ', why(i));
  throw error(error_kind::argument, pattern, detail::text(said, also), rank);
}

void transport_choice::take_by_name(const plans::schedule& plan, const communicator& comm,
                                    const device_fields* on_device) {
  const auto& row = transports::find_transport(name_);
  const auto refuse = [&](std::string_view what) {
    throw error(error_kind::argument, plan.pattern,
                detail::text(what, ", which transport '", name_, "' does not reach"), comm.rank());
  };
  if (!row.device_memory && wants_device(plan))
    throw error(error_kind::argument, plan.pattern,
                detail::text("a field is in device memory, which transport '", name_,
                             "' does not reach; no device: ", why_no_device()),
                comm.rank());
  if (const auto why = row.absence == nullptr ? std::string() : row.absence(); !why.empty())
    throw error(error_kind::argument, plan.pattern, detail::text("transport '", name_, "': ", why), comm.rank());
  for_each_message(plan, [&](const plans::message& m) {
    const bool near = comm.node_index(m.peer) >= 0;
    if (row.node_only && !near) refuse(detail::text("rank ", m.peer, " is on another node"));
    if (row.device_memory && !is_on_device(on_device, plan, near))
      throw error(
          error_kind::argument, plan.pattern,
          detail::text("some data sent to or received from rank ", m.peer, " is not in device memory, and transport '",
                       name_, "' carries nothing else", on_device == nullptr ? "; no field of this rank is there" : ""),
          comm.rank());
  });
  chosen_ = {{&row, reach::all, "asked for"}};
}

// A rank whose messages no row can carry throws here, with its reasons. The others would only learn that no row can.
std::vector<double> transport_choice::price(const plans::schedule& plan, const communicator& comm,
                                            const plans::functions& code, const carry_options& how,
                                            const device_fields* on_device) {
  const double has_device = on_device != nullptr ? 1 : 0;
  if (asks_for_one()) {
    take_by_name(plan, comm, on_device);
    return {has_device};
  }
  std::vector<double> mine(2 * table_.size() + 4, 0.0);
  remarks_.resize(table_.size());
  for (std::size_t i = 0; i < table_.size(); ++i) {
    refusals_.push_back(refusal(*table_[i], plan, comm, how, on_device));
    if (!refusals_[i].empty()) mine[2 * i] = mine[2 * i + 1] = never;
  }
  if (std::none_of(refusals_.begin(), refusals_.end(), [](const auto& why) { return why.empty(); }))
    refuse_all(
        plan.pattern, comm.rank(), [this](std::size_t row) { return refusals_[row]; },
        wants_device(plan) ? detail::text("; no device: ", why_no_device()) : "");
  const std::size_t counts = 2 * table_.size();
  for (const auto& part : plan.stages)
    for (const auto& m : part.receives) {
      const transports::message_load load{static_cast<double>(plan.bytes_of(m)),
                                          static_cast<double>(m.count),
                                          comm.node_index(m.peer) >= 0,
                                          comm.size(),
                                          static_cast<int>(comm.node_ranks().size()),
                                          is_on_device(on_device, plan, comm.node_index(m.peer) >= 0)};
      const std::size_t whose = load.same_node ? 0 : 1;
      for (std::size_t i = 0; i < table_.size(); ++i)
        if (refusals_[i].empty()) mine[2 * i + whose] += expected(*table_[i], load);
      mine[counts + whose] += 1;
    }
  // A row for device memory needs messages that lie there, also on a rank that only sends.
  for_each_message(plan, [&](const plans::message& m) {
    const bool near = comm.node_index(m.peer) >= 0;
    for (std::size_t i = 0; i < table_.size() && !is_on_device(on_device, plan, near); ++i) {
      if (!table_[i]->device_memory) continue;
      mine[2 * i + (near ? 0 : 1)] = never;
      remarks_[i] =
          on_device == nullptr ? " (no field is in device memory)" : " (messages have memory of the host, too)";
    }
  });
  mine[counts + 2] = wants_one_order(plan, comm, code) ? 1 : 0;
  mine[counts + 3] = has_device;
  return mine;
}

double transport_choice::messages(reach whose) const {
  return sums_[2 * table_.size() + (whose == reach::same_node ? 0 : 1)];
}

void transport_choice::decide(std::vector<double> sums, std::string_view pattern, int rank) {
  devices_ = sums.back();
  if (asks_for_one()) return;
  sums_ = std::move(sums);
  choose(pattern, rank);
}

void transport_choice::choose(std::string_view pattern, int rank) {
  chosen_.clear();
  const bool near = messages(reach::same_node) > 0, far = messages(reach::other_nodes) > 0;
  if (!near && !far) return;
  const auto cheapest = [&](auto price) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < table_.size(); ++i)
      if (price(i) < price(best)) best = i;
    return best;
  };
  const auto part_of = [&](std::size_t row, double price) { return table_[row]->suits == nullptr ? price : never; };
  const auto both = [&](std::size_t row) { return on_node(row) + elsewhere(row); };
  const auto inside = [&](std::size_t row) { return part_of(row, on_node(row)); };
  const auto outside = [&](std::size_t row) { return part_of(row, elsewhere(row)); };
  const auto one = cheapest(both), here = cheapest(inside), there = cheapest(outside);
  const bool one_order = sums_[2 * table_.size() + 2] > 0;
  if (near && far && !one_order && inside(here) + outside(there) < both(one)) {
    chosen_.push_back({table_[there], reach::other_nodes, name_of(reach::other_nodes)});
    chosen_.push_back({table_[here], reach::same_node, name_of(reach::same_node)});
    return;
  }
  if (both(one) == never) {
    refuse_all(pattern, rank, [this](std::size_t row) { return verdict(row); });
  }
  const auto whose = near && far ? reach::all : near ? reach::same_node : reach::other_nodes;
  chosen_.push_back({table_[one], whose, detail::text(name_of(whose), one_order ? ", combined in one order" : "")});
}

bool transport_choice::do_without(const transports::transport& row, std::string why, std::string_view pattern,
                                  int rank) {
  const auto found = std::find(table_.begin(), table_.end(), &row);
  if (asks_for_one() || found == table_.end() || !row.node_only) return false;
  const auto at = static_cast<std::size_t>(found - table_.begin());
  sums_[2 * at] = sums_[2 * at + 1] = never;
  refusals_[at] = std::move(why);
  choose(pattern, rank);
  return true;
}

std::string transport_choice::verdict(std::size_t row) const {
  if (!refusals_[row].empty()) return refusals_[row];
  std::string said;
  const auto add = [&](reach whose, double price) {
    if (messages(whose) == 0) return;
    said += detail::text(said.empty() ? "" : ", ", name_of(whose), ' ');
    said += price < never ? detail::text(price, " µs") : std::string("out of reach");
  };
  add(reach::same_node, on_node(row));
  add(reach::other_nodes, elsewhere(row));
  return said + remarks_[row];
}

std::string transport_choice::explain() const {
  if (sums_.empty()) return {};
  std::string out = detail::text("auto chose what is expected to take least, over all ranks (by ",
                                 transports::current_calibration().source, "):\n");
  for (std::size_t i = 0; i < table_.size(); ++i) {
    out += detail::text("  ", table_[i]->name, ": ", verdict(i));
    for (const auto& c : chosen_)
      if (c.by == table_[i]) out += detail::text(" (chosen: ", c.reason, ')');
    out += '\n';
  }
  return out;
}

}  // namespace wherry
