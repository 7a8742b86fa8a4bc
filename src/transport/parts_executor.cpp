#include "parts_executor.hpp"

#include <algorithm>
#include <utility>

#include "wherry/core/error.hpp"

#include "core/patience.hpp"
#include "core/trace.hpp"

namespace wherry {

void throw_not_ready(const exchange_binding& of, const part_gates& gates) {
  throw error(error_kind::timeout, of.called,
              detail::text("exchange number ", of.starts,
                           " still waits for parts of this rank that are not ready: ", list_of(gates.not_ready())),
              of.comm.rank(), {of.comm.rank()});
}

parts_executor::parts_executor(exchange_binding& of, part_gates& gates, const parts_of_row& append_parts)
    : executor(of), gates_(gates), held_back_(stages_) {
  const auto hold = [&](std::size_t stage, std::size_t carrier, std::size_t message, std::vector<int> needed) {
    for (const int part : needed)
      if (part < 0 || part >= gates.parts())
        throw error(error_kind::argument, of.called,
                    detail::text("'part' is ", part, "; there are ", gates.parts(), " parts"), of.comm.rank());
    held_back_[stage].push_back({carrier, message, gates.add_gate(std::move(needed)), false});
  };
  for (std::size_t s = 0; s < stages_; ++s)
    for (std::size_t i = 0; i < of.carriers.size(); ++i) {
      const bool one_by_one = of.carriers[i].by->sends_one_by_one();
      std::vector<int> needed;
      if (i < of.lanes.size()) {
        const auto& sends = of.lanes[i]->stages[s].sends;
        for (std::size_t m = 0; m < sends.size(); ++m) {
          for (const auto& row : of.plan.rows_of(sends[m])) append_parts(row, needed);
          if (one_by_one) hold(s, i, m, std::exchange(needed, {}));
        }
      } else if (of.carriers[i].by == of.own.get()) {
        for (const auto& list : of.plan.stages[s].copies)
          for (const auto& c : of.plan.rows_of(list)) append_parts(c.from, needed);
      }
      if (!one_by_one) hold(s, i, held_back::all, std::move(needed));
    }
}

void parts_executor::start() {
  stage_ = 0;
  if (stages_ == 0) return;
  start_stage();
  while (!is_last_stage() && !of_.waits_in[stage_] && has_all_passed()) {
    ++stage_;
    start_stage();
  }
}

void parts_executor::start_stage() {
  for (auto& held : held_back_[stage_]) held.has_passed = false;
  for (auto& c : of_.carriers)
    if (c.by->sends_one_by_one()) c.by->start_receiving(stage_, of_.fields);
  let_pass();
}

void parts_executor::let_pass() {
  gates_.take_news();
  if (stage_ >= stages_) return;
  for (auto& held : held_back_[stage_]) {
    if (held.has_passed || !gates_.is_open(held.gate)) continue;
    held.has_passed = true;
    auto& c = of_.carriers[held.carrier];
    const trace_span span(c.traced, "send", of_.starts);
    if (held.message == held_back::all)
      c.by->start_stage(stage_, of_.fields);
    else
      c.by->send_one(stage_, held.message, of_.fields);
  }
}

bool parts_executor::has_all_passed() const {
  if (stage_ >= stages_) return gates_.is_open(part_gates::every_part);
  const auto& held = held_back_[stage_];
  return std::all_of(held.begin(), held.end(), [](const held_back& h) { return h.has_passed; });
}

bool parts_executor::has_started(std::size_t carrier) const {
  const auto& held = held_back_[stage_];
  return std::none_of(held.begin(), held.end(), [&](const held_back& h) {
    return h.carrier == carrier && h.message == held_back::all && !h.has_passed;
  });
}

bool parts_executor::advance() {
  while (stage_ < stages_) {
    let_pass();
    bool complete = has_all_passed();
    for (std::size_t i = 0; i < of_.carriers.size(); ++i)
      if (has_started(i)) complete = of_.carriers[i].by->test_stage(stage_, of_.fields) && complete;
    if (!complete) return false;
    if (++stage_ < stages_) start_stage();
  }
  return gates_.is_open(part_gates::every_part);
}

void parts_executor::append_missing(std::vector<int>& peers) {
  if (!has_all_passed()) throw_not_ready(of_, gates_);
  executor::append_missing(peers);
}

void parts_executor::let_go(bool are_there) noexcept {
  executor::let_go(are_there);
  gates_.open_all();
}

}  // namespace wherry
