#include "executor.hpp"

#include <algorithm>

#include "core/trace.hpp"

namespace wherry {

void executor::start() {
  stage_ = 0;
  if (stages_ == 0) return;
  start_stage();
  // A first stage without messages is complete at once. Go on to the first stage with messages, so that they leave now
  // and not when the owner waits.
  while (!is_last_stage() && !of_.waits_in[stage_]) {
    ++stage_;
    start_stage();
  }
}

void executor::start_stage() {
  for (auto& c : of_.carriers) {
    const trace_span span(c.traced, "send", of_.starts);
    c.by->start_stage(stage_, of_.fields);
  }
}

bool executor::advance() {
  while (stage_ < stages_) {
    bool complete = true;
    for (auto& c : of_.carriers) complete = c.by->test_stage(stage_, of_.fields) && complete;
    if (!complete) return false;
    if (++stage_ < stages_) start_stage();
  }
  return true;
}

bool executor::has_messages_later() const {
  for (auto later = stage_ + 1; later < stages_; ++later)
    if (of_.waits_in[later]) return true;
  return false;
}

bool executor::owes() const {
  return stage_ < stages_ &&
         (has_messages_later() ||
          std::any_of(of_.carriers.begin(), of_.carriers.end(), [this](const auto& c) { return c.by->owes(stage_); }));
}

bool executor::owes_from_fields() const {
  return has_messages_later() || std::any_of(of_.carriers.begin(), of_.carriers.end(),
                                             [this](const auto& c) { return c.by->owes_from_fields(stage_); });
}

void executor::append_missing(std::vector<int>& peers) {
  if (stage_ >= stages_) return;
  for (const auto& c : of_.carriers) c.by->append_missing(stage_, peers);
}

void executor::let_go(bool are_there) noexcept {
  if (stage_ >= stages_) return;
  substitutes_ = substitute_fields(of_.plan, stage_);
  if (owes_from_fields() && are_there) substitutes_.fetch(of_.plan, of_.kernels, of_.code, stage_, of_.fields);
  const auto table = substitutes_.table();
  for (std::size_t i = 0; i < of_.carriers.size(); ++i)
    if (has_started(i)) of_.carriers[i].by->let_go(stage_, of_.fields, table);
  for (std::size_t i = 0; i < of_.fields.size(); ++i)
    if (of_.plan.fields[i].space != memory_space::device) of_.fields[i] = table[i];
}

void snapshot_executor::start_stage() {
  of_.copies_of_snapshot->take(of_.fields);
  executor::start_stage();
}

bool snapshot_executor::advance() {
  if (!executor::advance()) return false;
  of_.copies_of_snapshot->deliver(of_.fields);
  return true;
}

bool snapshot_executor::advance_by_others() {
  if (is_given_up_) return advance();
  if (stage_ >= stages_) return false;
  for (auto& c : of_.carriers) c.by->send_owed(stage_, of_.fields);
  return false;
}

void snapshot_executor::let_go(bool are_there) noexcept {
  is_given_up_ = true;
  of_.copies_of_snapshot->drop();
  executor::let_go(are_there);
}

}  // namespace wherry
