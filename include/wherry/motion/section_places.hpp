/// @file
/// The places in memory of a section of a part, in the order in which its values travel.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "wherry/motion/index_set.hpp"

namespace wherry::detail {

/// A list of places, stored as runs or as single places. Single places are only referred to, not copied; stored as runs
/// of one they would take twice the memory.
class section_places {
 public:
  section_places() = default;
  section_places(std::vector<index_run> runs) : runs_(std::move(runs)) {}
  /// Chooses the shorter form.
  /// @param places must outlive the result, which may refer to them
  static section_places of(std::span<const index_t> places);

  /// The number of runs, where each single place counts as a run.
  std::size_t size() const { return single_.empty() ? runs_.size() : single_.size(); }
  bool empty() const { return size() == 0; }
  index_run operator[](std::size_t i) const { return single_.empty() ? runs_[i] : index_run{single_[i], 1}; }

  /// The single places; empty if the list consists of runs.
  std::span<const index_t> single() const { return single_; }
  /// The places of the points `begin` to `end`, the end excluded.
  section_places part(index_t begin, index_t end) const;

 private:
  std::vector<index_run> runs_;
  std::span<const index_t> single_;
};

}  // namespace wherry::detail
