// Which segments each rank has registered: a table in a segment of its own, which its owner alone writes and all read.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "wherry/channel/byte_segment.hpp"

namespace wherry::gaspi {

/// To register is a store of the owner's, so that nobody need answer, and no time limit is missed. Whoever wants to use
/// a segment reads its entry once and then compares a stamp at each use: for a rank of this node the entry's own
/// number, which is a plain load; for others a word of this rank's that those who register something with it count up.
class directory {
 public:
  explicit directory(const communicator& comm);

  /// This rank's segment may be used by the others; local. Each entry has a number of its own.
  void enter(int id, const segment_ticket& ticket);
  void strike(int id);
  /// The rank shall look again at what this one has registered.
  void announce_to(int rank);

  /// Changes when the entry may have changed; 0: there is none.
  std::uint64_t stamp(int rank, int id) const {
    const auto* const near = near_[static_cast<std::size_t>(rank)];
    if (near == nullptr) return epoch().load(std::memory_order_acquire) + 1;
    return near->entries[id].number.load(std::memory_order_acquire);
  }
  /// Nothing: the rank has registered none.
  std::optional<segment_ticket> find(int rank, int id);

 private:
  struct entry {
    std::atomic<std::uint64_t> number;  // 0: none
    segment_ticket ticket;
    std::uint64_t again;  // the number once more: read from afar, both tell that it is whole
  };
  struct table {
    std::atomic<std::uint64_t> epoch;  // counted up by others
    std::uint64_t unused[7];
    entry entries[256];
  };
  static_assert(sizeof(entry) == sizeof(segment_ticket) + 16 && sizeof(table) == 64 + 256 * sizeof(entry));

  const std::atomic<std::uint64_t>& epoch() const { return mine_->epoch; }

  byte_segment segment_;
  table* mine_ = nullptr;
  std::vector<const table*> near_;  // a rank each; null: on another node
  std::uint64_t numbers_ = 0;
};

}  // namespace wherry::gaspi
