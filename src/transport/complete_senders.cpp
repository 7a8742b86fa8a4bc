#include "complete_senders.hpp"

#include <algorithm>

namespace wherry {

complete_senders::complete_senders(const exchange_binding& of) : of_(of), heard_(of.lanes.size()) {
  std::vector<int> ranks;  // one for each message
  for (const auto& l : of.lanes)
    for (const auto& part : l->stages)
      for (const auto& m : part.receives) ranks.push_back(m.peer);
  std::sort(ranks.begin(), ranks.end());
  for (const int rank : ranks) {
    if (senders_.empty() || senders_.back().rank != rank) senders_.push_back({rank, 0, 0});
    ++senders_.back().messages;
  }
  for (std::size_t i = 0; i < of.lanes.size(); ++i)
    for (const auto& part : of.lanes[i]->stages) heard_[i].reserve(part.receives.size());
  arrived_.reserve(senders_.size());
}

void complete_senders::begin() {
  arrived_.clear();
  if (start_ == of_.starts) return;
  start_ = of_.starts;
  for (auto& s : senders_) s.missing = s.messages;
  begin_stage(0);
}

void complete_senders::begin_stage(std::size_t stage) {
  stage_ = stage;
  for (std::size_t i = 0; i < of_.lanes.size() && stage < of_.plan.stages.size(); ++i)
    heard_[i].assign(of_.lanes[i]->stages[stage].receives.size(), 0);
}

void complete_senders::hear(std::size_t lane, std::size_t message, int rank) {
  heard_[lane][message] = 1;
  const auto from = std::lower_bound(senders_.begin(), senders_.end(), rank,
                                     [](const sender& s, int wanted) { return s.rank < wanted; });
  if (--from->missing == 0) arrived_.push_back(rank);
}

void complete_senders::find(const executor& by, bool over) {
  for (; stage_ < of_.plan.stages.size(); begin_stage(stage_ + 1)) {
    const bool complete = over || by.has_arrived(stage_);
    for (std::size_t i = 0; i < of_.lanes.size(); ++i) {
      const auto& receives = of_.lanes[i]->stages[stage_].receives;
      for (std::size_t m = 0; m < receives.size(); ++m)
        if (heard_[i][m] == 0 && (complete || by.has_arrived(stage_, i, m))) hear(i, m, receives[m].peer);
    }
    if (!complete) return;
  }
}

}  // namespace wherry
