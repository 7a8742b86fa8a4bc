// This rank's GASPI segments, which all its exchanges share: staging and notifications are pieces of them. The number
// of segments may be small, so they grow in size. Each rank makes its segments alone, whatever the others do.
#pragma once

#include <GASPI.h>

#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "failure.hpp"
#include "free_ranges.hpp"

namespace wherry::gpi2 {

/// Bytes of a segment, and notifications of the same one.
struct piece {
  gaspi_segment_id_t segment = 0;
  gaspi_offset_t offset = 0;
  std::size_t bytes = 0;
  gaspi_notification_id_t first = 0;
  gaspi_number_t notifications = 0;
  std::byte* memory = nullptr;
};

/// Thread-safe.
class segment_heap {
 public:
  /// @param notifications the number of notifications of each segment
  explicit segment_heap(gaspi_number_t notifications) : notifications_(notifications) {}

  /// The notifications of the piece are not set. @throws error(resource), with the figures, if GASPI's limits do not
  /// suffice
  piece take(const caller& who, std::size_t bytes, gaspi_number_t notifications);
  /// True if pieces of these bytes and notifications can all be taken without another segment.
  bool has(const std::vector<std::pair<std::size_t, gaspi_number_t>>& wanted) const;
  /// From then on no rank may write to the piece.
  void give_back(const piece& p) noexcept;

  /// From now on the rank may write to the segment. Waits with `patience`.
  void let_in(const communicator& comm, const caller& who, gaspi_segment_id_t segment, int peer, gaspi_rank_t rank);

 private:
  struct segment {
    gaspi_segment_id_t id;
    std::size_t length;
    std::byte* memory;
    free_ranges bytes, notifications;
    std::vector<char> knows_rank;  // by GASPI's rank; grows as needed

    bool is_unused() const { return bytes.has_all() && notifications.has_all(); }
  };
  static bool cut(segment& from, piece& p);
  static bool cut_from_any(std::vector<segment>& segments, piece& p);
  std::size_t length_of_next(std::size_t bytes) const;
  segment& add(const caller& who, std::size_t bytes);
  void drop_one_unused() noexcept;

  gaspi_number_t notifications_;
  mutable std::mutex guard_;
  std::vector<segment> segments_;
};

}  // namespace wherry::gpi2
