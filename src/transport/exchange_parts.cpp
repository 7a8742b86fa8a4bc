// Exchanges whose data becomes ready part by part.
#include <algorithm>
#include <exception>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "core/trace.hpp"
#include "exchange_state.hpp"

namespace wherry {

void exchange::state::divide(int parts, const std::function<void(const block_row&, std::vector<int>&)>& append_parts) {
  const auto refuse = [this](error_kind kind, const std::string& why) { throw error(kind, called, why, comm.rank()); };
  if (started) refuse(error_kind::state, "'divide' was called between start and wait");
  if (parts < 0) refuse(error_kind::argument, detail::text(parts, " parts were given"));
  if (options.snapshot) refuse(error_kind::argument, "'snapshot' has no parts: all leaves at start");
  auto gates = std::make_unique<part_gates>(parts);
  std::vector<std::vector<held_back>> held(plan.stages.size());
  std::size_t number = 0;
  const auto add = [&](std::size_t stage, std::size_t of_lane, std::size_t message, std::vector<int> needed) {
    for (const int part : needed)
      if (part < 0 || part >= parts)
        refuse(error_kind::argument, detail::text("there is no part ", part, " of ", parts));
    gates->add_gate(std::move(needed));
    held[stage].push_back({of_lane, message, number++, false});
  };
  // What a device packs leaves as a whole, with the last part.
  if (on_device) on_device->divide(static_cast<std::size_t>(parts));
  for (std::size_t s = 0; s < plan.stages.size() && !on_device; ++s) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      const auto& sends = lanes[i]->stages[s].sends;
      const bool one_by_one = lanes[i]->carried->sends_one_by_one();
      std::vector<int> needed;
      for (std::size_t m = 0; m < sends.size(); ++m) {
        for (const auto& row : plan.rows_of(sends[m])) append_parts(row, needed);
        if (one_by_one) add(s, i, m, std::exchange(needed, {}));
      }
      if (!one_by_one) add(s, i, held_back::all, std::move(needed));
    }
    std::vector<int> needed;
    for (const auto& list : plan.stages[s].copies)
      for (const auto& c : plan.rows_of(list)) append_parts(c.from, needed);
    add(s, held_back::copies, held_back::all, std::move(needed));
  }
  std::vector<int> every(static_cast<std::size_t>(parts));
  for (int part = 0; part < parts; ++part) every[static_cast<std::size_t>(part)] = part;
  gates->add_gate(std::move(every));
  last_gate_ = number;
  held_back_ = std::move(held);
  gates_ = std::move(gates);
  const bool without_mpi = std::all_of(lanes.begin(), lanes.end(), [](const auto& l) { return l->by->node_only; });
  anybody_may_send_ = without_mpi || progress_thread::possible();
  if (may_owe_) join_companions();  // each part may owe when it is ready, which is no start
}

void exchange::state::require_parts(bool in_parts) const {
  if (in_parts && !gates_)
    throw error(error_kind::state, called, "it was started in parts, and nothing has been divided into any",
                comm.rank());
}

bool exchange::state::lacks_parts() const { return started && holds_ && !gates_->is_open(last_gate_); }

void exchange::state::hold_stage() {
  for (auto& held : held_back_[stage_]) held.has_passed = false;
  for (auto& l : lanes)
    if (l->carried->sends_one_by_one()) l->carried->start_receiving(stage_, fields_);
  let_pass();
}

/// By who has the turn.
void exchange::state::let_pass() {
  gates_->take_news();
  if (stage_ >= plan.stages.size()) return;
  for (auto& held : held_back_[stage_]) {
    if (held.has_passed || !gates_->is_open(held.gate)) continue;
    held.has_passed = true;
    if (held.lane == held_back::copies) {
      copy_own();
      continue;
    }
    auto& l = *lanes[held.lane];
    const trace_span span(l.traced, "send", counted_.exchanges);
    if (held.message == held_back::all)
      l.carried->start_stage(stage_, fields_);
    else
      l.carried->send_one(stage_, held.message, fields_);
  }
}

bool exchange::state::all_has_passed() const {
  if (on_device || stage_ >= plan.stages.size()) return gates_->is_open(last_gate_);
  const auto& held = held_back_[stage_];
  return std::all_of(held.begin(), held.end(), [](const held_back& h) { return h.has_passed; });
}

bool exchange::state::is_under_way(std::size_t of_lane) const {
  return std::none_of(held_back_[stage_].begin(), held_back_[stage_].end(), [&](const held_back& h) {
    return h.lane == of_lane && h.message == held_back::all && !h.has_passed;
  });
}

bool exchange::state::may_send() const {
  if (anybody_may_send_) return true;
  int main = 0;
  check_mpi(PMPI_Is_thread_main(&main), "MPI_Is_thread_main");
  return main != 0;
}

void exchange::state::ready(int part) {
  const auto refuse = [&](error_kind kind, const std::string& why) { throw error(kind, called, why, comm.rank()); };
  require_mpi("ready");
  // The exchange cannot end before this part is ready, so nobody changes these meanwhile.
  if (!started || !holds_)
    refuse(error_kind::state, detail::text("part ", part, " is ready, but the exchange was not started in parts"));
  if (part < 0 || part >= gates_->parts())
    refuse(error_kind::argument, detail::text("there is no part ", part, " of ", gates_->parts()));
  if (on_device) on_device->ready(static_cast<std::size_t>(part));
  const auto answer = gates_->ready(part);
  if (answer == part_gates::answer::said_before)
    refuse(error_kind::state, detail::text("part ", part, " was ready already"));
  if (answer == part_gates::answer::nothing_opened || !may_send()) return;
  while (gates_->has_news() && try_turn()) {
    try {
      gates_->take_news();
      if (in_flight()) on_device ? static_cast<void>(goes_on()) : let_pass();
    } catch (...) {  // a user's function, say; the user's wait tells of it
      failure_ = std::current_exception();
      in_flight_.store(false, std::memory_order_release);
    }
    end_turn();
  }
}

}  // namespace wherry
