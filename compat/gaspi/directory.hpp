// Which segments each rank has registered: a table in a segment of its own, which its owner alone writes and all read.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "wherry/channel/byte_segment.hpp"

namespace wherry::gaspi {

/// To register is a store of the owner's, so that nobody need answer, and no time limit is missed. Whoever wants to use
/// a segment reads its entry once and then compares a stamp at each use: for a rank of this node the entry's own
/// number, which is a plain load; for others a word of this rank's that those who register something with it increase.
class directory {
 public:
  explicit directory(const communicator& comm);
  directory(const directory&) = delete;
  directory& operator=(const directory&) = delete;
  ~directory();

  /// This rank's segment may be used by the others; local. Each entry has a number of its own.
  void enter(int id, const segment_ticket& ticket);
  void strike(int id);
  /// The number of this rank's entry.
  std::uint64_t number_of(int id) const { return mine_->entries[id].again; }
  /// The rank shall look again, for the entry of this number has been entered.
  /// @return false: not yet told in so many seconds; the same call goes on with it
  bool announce_to(int rank, std::uint64_t number, double seconds);

  bool is_near(int rank) const { return near_[static_cast<std::size_t>(rank)] != nullptr; }
  /// Changes when the entry may have changed; 0: there is none.
  std::uint64_t stamp(int rank, int id) const {
    const auto* const near = near_[static_cast<std::size_t>(rank)];
    if (near == nullptr) return epoch().load(std::memory_order_acquire) + 1;
    return near->entries[id].number.load(std::memory_order_acquire);
  }
  /// What the rank has registered.
  struct listing {
    bool is_there = false;
    segment_ticket ticket{};
  };
  /// What has been asked of segments with this id is of no use any more. By any thread.
  void forget(int id) { forgotten_[static_cast<std::size_t>(id)].fetch_add(1, std::memory_order_release); }
  /// Nothing: another node has not answered in so many seconds; the same call goes on with the question.
  std::optional<listing> find(int rank, int id, double seconds);

 private:
  struct entry {
    std::atomic<std::uint64_t> number;  // 0: none
    segment_ticket ticket;
    std::uint64_t again;  // the number once more: read from afar, both tell that it is whole
  };
  struct table {
    std::atomic<std::uint64_t> epoch;  // increased by others
    std::uint64_t unused[7];
    entry entries[256];
  };
  static_assert(sizeof(entry) == sizeof(segment_ticket) + 16 && sizeof(table) == 64 + 256 * sizeof(entry));

  /// A question to another node: its answer has a place that outlives the call.
  struct question {
    std::uint64_t stamp = 0, forgotten = 0;  // from before it was asked
    segment_queue answered;
    std::array<std::byte, sizeof(entry)> answer;
  };
  static listing read(const question& asked);

  const std::atomic<std::uint64_t>& epoch() const { return mine_->epoch; }

  byte_segment segment_;
  table* mine_ = nullptr;
  std::vector<const table*> near_;  // a rank each; null: on another node
  std::uint64_t numbers_ = 0;
  std::map<std::pair<int, int>, std::unique_ptr<question>> asked_;  // of ranks and segments
  std::array<std::atomic<std::uint64_t>, 256> forgotten_{};         // how often, of each id
};

}  // namespace wherry::gaspi
