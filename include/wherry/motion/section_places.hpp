/// @file
/// The places of a section among those of a part, in the order in which they travel.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "wherry/motion/index_set.hpp"

namespace wherry::detail {

/// Runs; or single places, which stay where somebody else keeps them: as runs of one they would take twice the room.
class section_places {
 public:
  section_places() = default;
  section_places(std::vector<index_run> runs) : runs_(std::move(runs)) {}
  /// The shorter of the two. @param places live as long as this does
  static section_places of(std::span<const index_t> places);

  /// Of runs, to which single places count as well.
  std::size_t size() const { return single_.empty() ? runs_.size() : single_.size(); }
  bool empty() const { return size() == 0; }
  index_run operator[](std::size_t i) const { return single_.empty() ? runs_[i] : index_run{single_[i], 1}; }

  /// All places, where they are single ones; else nothing.
  std::span<const index_t> single() const { return single_; }
  /// Of its points `begin` to `end`.
  section_places part(index_t begin, index_t end) const;

 private:
  std::vector<index_run> runs_;
  std::span<const index_t> single_;
};

}  // namespace wherry::detail
