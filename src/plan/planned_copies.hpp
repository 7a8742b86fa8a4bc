// Copies inside a process that belong to no exchange.
#pragma once

#include <memory>
#include <utility>

#include "wherry/plan/copy_engine.hpp"

namespace wherry {

/// Makes the copies of the first stage of a plan that it owns.
class planned_copies {
 public:
  planned_copies() = default;
  explicit planned_copies(plans::schedule plan, thread_team team = {})
      : own_(std::make_unique<everything>(std::move(plan), std::move(team))) {}

  /// Makes the copies. A copy from a field without an address is left out.
  void run(plans::field_table from, plans::field_table to) const { own_->copies.run(from, to); }
  explicit operator bool() const { return own_ != nullptr; }

 private:
  struct everything {
    everything(plans::schedule what, thread_team team) : plan(std::move(what)), kernels(plan, std::move(team)) {}
    plans::schedule plan;
    detail::shape_kernels kernels;
    plans::functions code;
    detail::direct_copies copies{plan.stages.front().copies, plan, kernels, code};
  };
  std::unique_ptr<everything> own_;
};

}  // namespace wherry
