#include "wherry/transport/exchange.hpp"

#include <exception>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "core/called.hpp"
#include "exchange_state.hpp"
#include "flight/abandonable.hpp"

namespace wherry {
namespace {

/// How the blocks of a message are moved, in order: "contiguous, fixed short runs × 3".
std::string kernels_of(const plans::message& m, const plans::schedule& plan, const transports::transport& by,
                       const plans::functions& code) {
  const bool operates = m.operation != detail::store;
  std::string out =
      operates ? detail::text("'", code.reductions[static_cast<std::size_t>(m.operation)].name, "' on ") : "";
  if (by.blocks_by != nullptr) return out + by.blocks_by;
  bool first = true;
  const auto blocks = plan.blocks_of(m);
  for (std::size_t i = 0, k = 0; i < blocks.size(); i = k) {
    const auto name = detail::kernel_name(blocks[i]);
    for (k = i + 1; k < blocks.size() && detail::kernel_name(blocks[k]) == name;) ++k;
    out += detail::text(first ? "" : ", ", name);
    first = false;
    if (k - i > 1) out += detail::text(" × ", k - i);
  }
  return out;
}

std::string explain_lane(const lane& l, const plans::schedule& plan, const plans::functions& code) {
  std::string out = detail::text("transport ", l.by->name, " (", l.reason, "): ", l.by->meaning, '\n');
  if (const auto also = l.carried->remark(); !also.empty()) out += "  " + also + '\n';
  const auto rows = [&](std::size_t stage, bool sent, const std::vector<plans::message>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto in_place = l.carried->bytes_in_place(stage, sent, i);
      out += detail::text("  stage ", stage, sent ? " to" : " from", " rank ", list[i].peer, ", ",
                          plan.bytes_of(list[i]), " B: ", kernels_of(list[i], plan, *l.by, code),
                          in_place > 0 ? detail::text("; read in place: ", in_place, " B") : "", '\n');
    }
  };
  for (std::size_t s = 0; s < l.stages.size(); ++s) {
    rows(s, true, l.stages[s].sends);
    rows(s, false, l.stages[s].receives);
  }
  return out;
}

}  // namespace

exchange::exchange(const communicator& comm, wherry::plans::schedule plan, plans::functions code,
                   const carry_options& options)
    : exchange(comm, std::make_shared<const wherry::plans::schedule>(std::move(plan)), std::move(code), options) {}

exchange::exchange(const communicator& comm, std::shared_ptr<const wherry::plans::schedule> plan, plans::functions code,
                   const carry_options& options)
    : state_(told_as(full_name(plan->pattern, options.name), plan->pattern,
                     [&] { return std::make_unique<state>(comm, plan, std::move(code), options); })) {}

exchange::exchange(exchange&&) noexcept = default;

exchange& exchange::operator=(exchange&& other) noexcept {
  exchange replaced(std::move(*this));  // its destructor waits, or gives up
  state_ = std::move(other.state_);
  return *this;
}

exchange::~exchange() {
  if (detail::is_forked_child()) static_cast<void>(state_.release());
  if (!state_ || !state_->started) return;
  if (!state_->in_vain && !state_->lacks_parts() && destructor_may_wait()) {
    try {
      state_->wait();
    } catch (...) {  // a destructor cannot report it
    }
  }
  abandon();
}

void exchange::abandon() noexcept { abandon_flight(std::move(state_)); }

exchange::state& exchange::live() const {
  if (!state_) throw error(error_kind::state, "exchange", "this exchange was moved from or abandoned");
  return *state_;
}

void exchange::set_fields(std::span<void* const> fields) {
  auto& s = live();
  if (s.started && !s.bound.options.snapshot)
    throw error(error_kind::state, s.bound.called, "'set_fields' was called between 'start' and 'wait'",
                s.bound.comm.rank());
  s.set_fields(fields);
}

void exchange::start() { begin(false); }

void exchange::begin(bool in_parts) {
  try {
    live().start(in_parts);
  } catch (...) {
    if (state_ && state_->failed()) abandon();
    throw;
  }
}

void exchange::start(std::span<void* const> fields) {
  if (!live().started) state_->set_fields(fields);  // otherwise `start` reports it
  start();
}

void exchange::divide(int parts, const std::function<void(const plans::block_row&, std::vector<int>&)>& parts_of) {
  live().divide(parts, parts_of);
}

void exchange::start_in_parts() { begin(true); }

void exchange::start_in_parts(std::span<void* const> fields) {
  if (!live().started) state_->set_fields(fields);
  begin(true);
}

void exchange::ready(int part) { live().ready(part); }
std::span<const int> exchange::wait_some() { return live().wait_some(); }

bool exchange::test() { return live().test(); }
void exchange::wait() { live().wait(); }

void exchange::wait(std::span<void* const> fields) {
  if (!live().bound.options.snapshot)
    throw error(error_kind::state, state_->bound.called,
                "'wait' was given fields, which is possible only with 'snapshot'", state_->bound.comm.rank());
  state_->set_fields(fields);
  state_->wait();
}

const plans::schedule& exchange::schedule() const { return *live().bound.kept; }
const communicator& exchange::comm() const { return live().bound.comm; }
std::string exchange::transport() const { return live().bound.transport(); }
exchange_statistics exchange::statistics() const { return live().statistics(); }

std::string exchange::explain() const {
  std::string out = live().bound.options.name.empty() ? "" : detail::text("'", state_->bound.options.name, "':\n");
  out += state_->bound.kept->explain();
  if (state_->bound.on_device) out += state_->bound.on_device->explain();
  for (const auto& l : state_->bound.lanes) out += explain_lane(*l, state_->bound.plan, state_->bound.code);
  out += state_->bound.choice.explain();
  if (const auto& missing = state_->bound.comm.shared_memory_shortfall(); !missing.empty()) out += missing + '\n';
  return out;
}

}  // namespace wherry
