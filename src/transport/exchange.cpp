#include "wherry/transport/exchange.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "compare_messages.hpp"
#include "lane.hpp"
#include "patience.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

namespace wherry {
namespace {

using clock = std::chrono::steady_clock;

/// With `snapshot` a copy to oneself has two halves: out of the fields at start, into them at the end.
struct snapshot_copy {
  message_packing out, in;
  std::vector<std::byte> buffer;
};

std::string transport_to_use(const exchange_options& options) {
  const auto& forced = current_settings().transport;
  return forced != "auto" ? forced : options.transport;
}

}  // namespace

struct exchange::state {
  state(const communicator& where, schedule what, functions with, const exchange_options& how);

  void check_plan(std::string_view name);
  void set_fields(std::span<void* const> table);
  void start();
  void begin_stage();
  bool advance();
  void wait();
  void append_missing(std::vector<int>& peers) const;

  communicator comm;
  schedule plan;
  functions code;
  exchange_options options;
  bool measured;
  std::vector<std::unique_ptr<lane>> lanes;
  std::vector<direct_copies> copies;     // one a stage
  std::vector<snapshot_copy> snapshots;  // one a copy, instead of `copies`
  std::vector<void*> fields;
  std::size_t stage = 0;
  bool running = false;
  exchange_statistics counted;
};

exchange::state::state(const communicator& where, schedule what, functions with, const exchange_options& how)
    : comm(where),
      plan(std::move(what)),
      code(std::move(with)),
      options(how),
      measured(current_settings().statistics != "0" || !current_settings().trace.empty()),
      fields(plan.fields.size(), nullptr) {
  const int tag = comm.next_tag();
  const std::string name = transport_to_use(options);
  const auto mine = error_of(comm, plan.pattern, [&] { check_plan(name); });
  compare_messages(comm, plan, tag, mine, name);
  lanes = bind_lanes({comm, plan, code, tag, options.snapshot}, name);
}

void exchange::state::check_plan(std::string_view name) {
  plan.validate(comm.rank(), comm.size());
  if (current_settings().check) plan.check_overlaps(comm.rank());
  if (name != "auto") find_transport(name);
  if (options.snapshot && plan.stages.size() > 1)
    throw error(error_kind::argument, plan.pattern, "snapshot needs a plan of one stage", comm.rank());
  for (const auto& field : plan.fields)
    if (field.space == memory_space::device)
      throw error(error_kind::argument, plan.pattern,
                  text("field '", field.name, "' is in device memory, which no transport of this build reaches"),
                  comm.rank());
  for (const auto& part : plan.stages) {
    if (!options.snapshot) {
      copies.emplace_back(part.copies, plan, plan, code);
      continue;
    }
    copies.emplace_back();
    for (const auto& c : part.copies) {
      snapshot_copy both{message_packing({c.from}, store, plan, code), message_packing({c.to}, c.operation, plan, code), {}};
      both.buffer.resize(both.out.bytes());
      snapshots.push_back(std::move(both));
    }
  }
}

void exchange::state::set_fields(std::span<void* const> table) {
  if (table.size() != fields.size())
    throw error(error_kind::argument, plan.pattern,
                text(table.size(), " field pointers were given for ", fields.size(), " fields"), comm.rank());
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] == nullptr)
      throw error(error_kind::argument, plan.pattern,
                  text("the pointer of field ", i, " '", plan.fields[i].name, "' is null"), comm.rank());
  std::copy(table.begin(), table.end(), fields.begin());
}

void exchange::state::start() {
  if (running)
    throw error(error_kind::state, plan.pattern, "start was called again before wait", comm.rank());
  if (!fields.empty() && fields.front() == nullptr)
    throw error(error_kind::state, plan.pattern, "start was called before any field pointers were set", comm.rank());
  running = true;
  stage = 0;
  ++counted.exchanges;
  for (auto& s : snapshots) s.out.pack(fields, s.buffer.data());
  if (!plan.stages.empty()) begin_stage();
}

void exchange::state::begin_stage() {
  for (auto& l : lanes) l->carried->start_stage(stage, fields);
  copies[stage].run(fields, fields);
}

bool exchange::state::advance() {
  while (stage < plan.stages.size()) {
    bool complete = true;
    for (auto& l : lanes) complete = l->carried->test_stage(stage, fields) && complete;
    if (!complete) return false;
    if (++stage < plan.stages.size()) begin_stage();
  }
  for (auto& s : snapshots) s.in.unpack(fields, s.buffer.data());
  running = false;
  return true;
}

void exchange::state::append_missing(std::vector<int>& peers) const {
  for (const auto& l : lanes) l->carried->append_missing(stage, peers);
}

void exchange::state::wait() {
  if (!running) throw error(error_kind::state, plan.pattern, "wait was called without start", comm.rank());
  const auto began = measured ? clock::now() : clock::time_point{};
  patience patient(comm, plan.pattern, "exchange", counted.exchanges);
  while (!advance()) patient.pause([this](std::vector<int>& peers) { append_missing(peers); });
  if (measured) counted.seconds_waiting += std::chrono::duration<double>(clock::now() - began).count();
}

exchange::exchange(const communicator& comm, schedule plan, functions code, const exchange_options& options)
    : state_(std::make_unique<state>(comm, std::move(plan), std::move(code), options)) {}
exchange::exchange(exchange&&) noexcept = default;
exchange& exchange::operator=(exchange&&) noexcept = default;

exchange::~exchange() {
  if (!state_ || !state_->running || std::uncaught_exceptions() > 0 || !mpi_is_running()) return;
  try {
    state_->wait();
  } catch (...) {  // a destructor has nobody to tell
  }
}

void exchange::set_fields(std::span<void* const> fields) { state_->set_fields(fields); }
void exchange::start() { state_->start(); }
void exchange::start(std::span<void* const> fields) {
  state_->set_fields(fields);
  state_->start();
}
bool exchange::test() { return !state_->running || state_->advance(); }
void exchange::wait() { state_->wait(); }

void exchange::wait(std::span<void* const> fields) {
  if (!state_->options.snapshot)
    throw error(error_kind::state, state_->plan.pattern, "other fields at wait than at start need 'snapshot'",
                state_->comm.rank());
  state_->set_fields(fields);
  state_->wait();
}

const schedule& exchange::plan() const { return state_->plan; }
const communicator& exchange::comm() const { return state_->comm; }

std::string exchange::transport() const {
  std::string names;
  for (const auto& l : state_->lanes) names += (names.empty() ? "" : " + ") + l->by->name;
  return names;
}

std::string exchange::explain() const {
  std::string out = state_->plan.explain();
  for (const auto& l : state_->lanes) {
    out += text("transport ", l->by->name, " (", l->reason, "):");
    for (const auto& s : l->plan.stages)
      for (const auto& m : s.sends) out += text(" rank ", m.peer, " ", m.bytes(), " B");
    out += '\n';
  }
  return out;
}

exchange_statistics exchange::statistics() const {
  auto result = state_->counted;
  const auto times = static_cast<std::int64_t>(result.exchanges);
  result.bytes_sent = times * state_->plan.bytes_sent();
  result.bytes_received = times * state_->plan.bytes_received();
  result.bytes_copied = times * state_->plan.bytes_copied();
  return result;
}

}  // namespace wherry
