// Waiting for what arrives rank by rank.
#include <algorithm>
#include <chrono>

#include "core/patience.hpp"
#include "core/trace.hpp"
#include "exchange_state.hpp"

namespace wherry {

using clock = std::chrono::steady_clock;

void exchange::state::prepare_arrivals() {
  if (heard_.empty()) {
    std::vector<int> ranks;  // one a message
    heard_.resize(lanes.size());
    for (std::size_t i = 0; i < lanes.size(); ++i)
      for (const auto& part : lanes[i]->stages) {
        heard_[i].reserve(part.receives.size());
        for (const auto& m : part.receives) ranks.push_back(m.peer);
      }
    std::sort(ranks.begin(), ranks.end());
    for (const int rank : ranks) {
      if (senders_.empty() || senders_.back().rank != rank) senders_.push_back({rank, 0, 0});
      ++senders_.back().messages;
    }
    arrived_.reserve(senders_.size());
  }
  arrived_.clear();
  if (heard_start_ == counted_.exchanges) return;
  heard_start_ = counted_.exchanges;
  for (auto& s : senders_) s.missing = s.messages;
  heard_stage_ = 0;
  for (std::size_t i = 0; i < lanes.size() && !plan.stages.empty(); ++i)
    heard_[i].assign(lanes[i]->stages[0].receives.size(), 0);
}

void exchange::state::hear(std::size_t of_lane, std::size_t message, int rank) {
  heard_[of_lane][message] = 1;
  const auto from = std::lower_bound(senders_.begin(), senders_.end(), rank,
                                     [](const sender& s, int wanted) { return s.rank < wanted; });
  if (--from->missing == 0) arrived_.push_back(rank);
}

void exchange::state::find_arrivals(bool over) {
  const turn mine(others_drive() ? this : nullptr);
  for (;; ++heard_stage_) {
    if (heard_stage_ >= plan.stages.size()) return;
    // What has come to the host is not yet on the device.
    const bool complete = over || (heard_stage_ < stage_ && !on_device);
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      if (!complete && holds_ && !is_under_way(i)) continue;
      const auto& receives = lanes[i]->stages[heard_stage_].receives;
      for (std::size_t m = 0; m < receives.size(); ++m)
        if (heard_[i][m] == 0 && (complete || (!on_device && lanes[i]->carried->has_delivered(heard_stage_, m))))
          hear(i, m, receives[m].peer);
    }
    if (!complete) return;
    for (std::size_t i = 0; i < lanes.size() && heard_stage_ + 1 < plan.stages.size(); ++i)
      heard_[i].assign(lanes[i]->stages[heard_stage_ + 1].receives.size(), 0);
  }
}

std::span<const int> exchange::state::wait_some() {
  if (!started && told_) return {};
  if (!started) throw error(error_kind::state, called, "wait_some was called without start", comm.rank());
  require_mpi("wait_some");
  in_vain = true;
  require_unfreed("between start and wait");
  prepare_arrivals();
  const trace_span span(traced_, "wait", counted_.exchanges);
  const auto began = measured_ ? clock::now() : clock::time_point{};
  patience patient(comm, called, "exchange", counted_.exchanges);
  for (;;) {
    const bool over = is_over();
    if (over && failure_) end();
    find_arrivals(over);
    if (over && arrived_.empty()) {
      end();
      told_ = true;
    }
    if (over || !arrived_.empty()) break;
    patient.pause([this](std::vector<int>& peers) { append_missing(peers); });
  }
  if (measured_) counted_.seconds_waiting += std::chrono::duration<double>(clock::now() - began).count();
  in_vain = false;
  return arrived_;
}

}  // namespace wherry
