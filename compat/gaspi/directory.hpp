// The segments that each rank has registered: a table in a segment of its own, which only its owner writes and all
// ranks read.
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

/// Registering is a store by the owner: no other rank must answer, so no time limit is missed. A rank that wants to use
/// a segment reads the entry once, and then compares a stamp at each use. For a rank of this node the stamp is the
/// entry's own number, which is a plain load. For other ranks it is a word of this rank, which a rank increases when it
/// registers a segment with this rank.
class directory {
 public:
  explicit directory(const communicator& comm);
  directory(const directory&) = delete;
  directory& operator=(const directory&) = delete;
  ~directory();

  /// Registers this rank's segment. Local. Each entry gets a number of its own.
  void enter(int id, const channels::segment_ticket& ticket);
  void strike(int id);
  /// The number of this rank's entry.
  std::uint64_t number_of(int id) const { return mine_->entries[id].again; }
  /// Tells a rank that the entry with this number has been made.
  /// @return false if the rank has not been told within `seconds`; the same call continues
  bool announce_to(int rank, std::uint64_t number, double seconds);

  bool is_near(int rank) const { return near_[static_cast<std::size_t>(rank)] != nullptr; }
  /// A value that changes if the entry may have changed; 0: there is no entry.
  std::uint64_t stamp(int rank, int id) const {
    const auto* const near = near_[static_cast<std::size_t>(rank)];
    if (near == nullptr) return epoch().load(std::memory_order_acquire) + 1;
    return near->entries[id].number.load(std::memory_order_acquire);
  }
  /// The entry of a rank.
  struct listing {
    bool is_there = false;
    channels::segment_ticket ticket{};
  };
  /// Invalidates answers about segments with this id. Any thread may call it.
  void forget(int id) { forgotten_[static_cast<std::size_t>(id)].fetch_add(1, std::memory_order_release); }
  /// Looks an entry up. Nothing: another node has not answered within `seconds`; the same call continues.
  std::optional<listing> find(int rank, int id, double seconds);

 private:
  struct entry {
    std::atomic<std::uint64_t> number;  // 0: no entry
    channels::segment_ticket ticket;
    std::uint64_t again;  // the number again: after a remote read, two equal numbers show that the entry is complete
  };
  struct table {
    std::atomic<std::uint64_t> epoch;  // other ranks increase it
    std::uint64_t unused[7];
    entry entries[256];
  };
  static_assert(sizeof(entry) == sizeof(channels::segment_ticket) + 16 && sizeof(table) == 64 + 256 * sizeof(entry));

  /// A question to another node; the memory for its answer outlives the call.
  struct question {
    std::uint64_t stamp = 0, forgotten = 0;  // their values before the question was asked
    segment_queue answered;
    std::array<std::byte, sizeof(entry)> answer;
  };
  static listing read(const question& asked);

  const std::atomic<std::uint64_t>& epoch() const { return mine_->epoch; }

  byte_segment segment_;
  table* mine_ = nullptr;
  std::vector<const table*> near_;  // one for each rank; null for a rank of another node
  std::uint64_t numbers_ = 0;
  std::map<std::pair<int, int>, std::unique_ptr<question>> asked_;  // by rank and segment
  std::array<std::atomic<std::uint64_t>, 256> forgotten_{};         // the number of calls of `forget` for each id
};

}  // namespace wherry::gaspi
