// The letters that have arrived for a group: parts of collectives from members of other nodes, and news of members. Any
// thread that looks into the box writes here, and the group's own thread reads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "group_mail.hpp"

namespace wherry {

/// Two slots in turn, as on a board: a member can be at most one call ahead of this one (see group_words.hpp).
struct far_slots {
  struct slot {
    std::atomic<std::uint64_t> number{0};
    std::uint64_t call = 0;
    std::vector<std::byte> bytes;
  };
  slot slots[2];
  const slot& of(std::uint64_t number) const { return slots[number & 1]; }
};

class group_contact final : public group_addressee {
 public:
  void take(const group_part& part) override {
    auto& slot = from(part.from).slots[part.number & 1];
    slot.call = part.call;
    slot.bytes.resize(part.data.size());
    if (!part.data.empty()) std::memcpy(slot.bytes.data(), part.data.data(), part.data.size());
    slot.number.store(part.number, std::memory_order_release);
  }
  void take_heads(std::span<const std::byte> list) override {
    heads_.assign(list.begin(), list.end());
    heads_are_here_.store(true, std::memory_order_release);
  }
  void refuse(group_failure why) override { failure_.store(why.word, std::memory_order_release); }
  void forget(int from, std::uint64_t own) override {
    const std::lock_guard lock(guard_);
    const auto known = known_.find(from);
    if (known == known_.end() || known->second != own) return;
    known_.erase(known);
    forgotten_.push_back(from);
    has_forgotten_.store(true, std::memory_order_release);
  }
  bool knows(int rank) override {
    const std::lock_guard lock(guard_);
    return known_.contains(rank);
  }

  /// Notes that a member's card was taken. Must precede `forget` for it.
  void know(int rank, std::uint64_t own) {
    const std::lock_guard lock(guard_);
    known_[rank] = own;
  }
  /// The slots for the data of a rank. The reference stays valid.
  far_slots& from(int rank) {
    const std::lock_guard lock(guard_);
    return slots_[rank];
  }
  /// The list of the nodes' first members, or null if it has not arrived.
  const std::vector<std::byte>* heads() const {
    return heads_are_here_.load(std::memory_order_acquire) ? &heads_ : nullptr;
  }
  bool has_forgotten() const { return has_forgotten_.load(std::memory_order_acquire); }
  /// Takes the list of members with forgotten cards, for which the group must wait again.
  std::vector<int> take_forgotten() {
    const std::lock_guard lock(guard_);
    has_forgotten_.store(false, std::memory_order_release);
    return std::exchange(forgotten_, {});
  }
  /// The last failure that was reported to the group.
  group_failure failure() const { return {failure_.load(std::memory_order_acquire)}; }

 private:
  std::mutex guard_;
  std::map<int, far_slots> slots_;
  std::map<int, std::uint64_t> known_;
  std::vector<int> forgotten_;
  std::atomic<bool> has_forgotten_{false};
  std::vector<std::byte> heads_;
  std::atomic<bool> heads_are_here_{false};
  std::atomic<std::uint64_t> failure_{0};
};

}  // namespace wherry
