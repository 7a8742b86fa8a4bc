#include "part_gates.hpp"

#include <algorithm>
#include <numeric>

namespace wherry {

part_gates::part_gates(int parts) : parts_(static_cast<std::size_t>(parts)), gates_of_(parts_), said_(parts_) {
  std::vector<int> every(parts_);
  std::iota(every.begin(), every.end(), 0);
  add_gate(std::move(every));
}

std::size_t part_gates::add_gate(std::vector<int> parts) {
  std::sort(parts.begin(), parts.end());
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  for (const int part : parts) gates_of_[static_cast<std::size_t>(part)].push_back(needed_.size());
  needed_.push_back(static_cast<int>(parts.size()));
  missing_ = std::make_unique<std::atomic<int>[]>(needed_.size());
  return needed_.size() - 1;
}

void part_gates::begin() {
  ++start_;
  for (std::size_t i = 0; i < needed_.size(); ++i) missing_[i].store(needed_[i], std::memory_order_relaxed);
}

void part_gates::open_all() {
  for (std::size_t i = 0; i < needed_.size(); ++i) missing_[i].store(0, std::memory_order_release);
}

part_gates::answer part_gates::ready(int part) {
  const auto at = static_cast<std::size_t>(part);
  if (said_[at].exchange(start_, std::memory_order_relaxed) == start_) return answer::said_before;
  bool opens = false;
  for (const auto gate : gates_of_[at]) opens = missing_[gate].fetch_sub(1, std::memory_order_acq_rel) == 1 || opens;
  if (!opens) return answer::nothing_opened;
  opened_.fetch_add(1, std::memory_order_seq_cst);
  // This fence comes before the caller looks whether another thread holds the turn; that thread looks for news after it
  // has ended its turn. So one of the two sees the other.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return answer::opened;
}

bool part_gates::has_news() const {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return opened_.load(std::memory_order_acquire) != taken_.load(std::memory_order_relaxed);
}

std::vector<int> part_gates::not_ready() const {
  std::vector<int> parts;
  for (std::size_t i = 0; i < parts_; ++i)
    if (said_[i].load(std::memory_order_relaxed) != start_) parts.push_back(static_cast<int>(i));
  return parts;
}

}  // namespace wherry
