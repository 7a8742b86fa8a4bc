/// @file
/// Motion plans: which section of which box goes where (paper 4, section 2: MotionPlan). Pure values; no MPI.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/motion/floor_plan.hpp"

namespace wherry {

/// Destination dimension d runs along source dimension `axes[d]`.
template <int N> using axis_permutation = std::array<std::int8_t, static_cast<std::size_t>(N)>;

template <int N> constexpr axis_permutation<N> same_axes() {
  axis_permutation<N> axes{};
  for (std::size_t d = 0; d < N; ++d) axes[d] = static_cast<std::int8_t>(d);
  return axes;
}

/// One dependence: (D(to) on `destination`) ⇐ (S(from) on `source`). Both sections have as many points.
/// Sections of the same extents (along `axes`) correspond point by point; sections of different shapes are both visited
/// in column-major order, dimension 0 fastest.
template <int N> struct motion {
  int from = 0, to = 0;  ///< numbers of boxes in the source's and in the destination's floor plan
  box<N> source{}, destination{};
  axis_permutation<N> axes = same_axes<N>();

  /// From the destination to the source.
  motion reversed() const;

  bool operator==(const motion&) const = default;
};

/// A list of dependences between two floor plans, or within one (endogenous). Their order means nothing, and where
/// destinations overlap it is not defined which one arrives last. An entry's own source and destination may overlap: it
/// is as if all of it were read before any is written. What one entry writes another must not read.
///
/// A motion plan need not be the same on all ranks: a rank needs the entries whose source or destination it owns, and
/// ignores all others. Two ranks that exchange something must agree on the entries between them.
template <int N> class motion_plan {
 public:
  using motion_type = motion<N>;

  motion_plan() = default;
  explicit motion_plan(std::vector<motion<N>> entries) : entries_(std::move(entries)) {}

  /// Adds an entry; KeLP's M.Copy (paper 4, figure 4). Checked when a mover is made, not here.
  void copy(int from, const box<N>& source, int to, const box<N>& destination) {
    entries_.push_back({from, to, source, destination, same_axes<N>()});
  }
  /// The same cells on both sides.
  void copy(int from, int to, const box<N>& cells) { copy(from, cells, to, cells); }
  void add(const motion<N>& entry) { entries_.push_back(entry); }
  void append(const motion_plan& other) { entries_.insert(entries_.end(), other.begin(), other.end()); }
  void reserve(std::size_t entries) { entries_.reserve(entries); }

  /// Takes entry k out; those behind it move up. @throws error(argument) out of range
  void remove(std::size_t k) {
    if (k >= size())
      throw error(error_kind::argument, "motion_plan", detail::text("there is no entry ", k, " of ", size()));
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  /// Takes out those of which `unwanted(entry)` is true. @return how many they were
  template <class Unwanted> std::size_t remove_if(Unwanted&& unwanted) { return std::erase_if(entries_, unwanted); }
  void clear() { entries_.clear(); }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  const motion<N>& operator[](std::size_t k) const { return entries_[k]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  /// Entries may be changed in place. A mover that was made before keeps what it has analysed.
  motion<N>& operator[](std::size_t k) { return entries_[k]; }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  std::span<const motion<N>> entries() const { return entries_; }

  /// Every entry backwards: a halo update becomes the sum of halos into their owners, a redistribution its way back.
  motion_plan reversed() const;

  /// A table a person can read: the entries by pairs of owners, `most_rows` of them at most. Owners that a partial
  /// floor plan does not know are '?'.
  std::string explain(const floor_plan<N>& source, const floor_plan<N>& destination, int most_rows = 64) const;
  /// For `./run plot`: {"kind": "motion_plan", "dimensions", "source", "destination", "entries": [{"from", "source":
  /// {"lower", "upper"}, "to", "destination": {"lower", "upper"}, "axes"}, …]}, after "kind" as `floor_plan::to_json`
  /// has them.
  std::string to_json(const floor_plan<N>& source, const floor_plan<N>& destination) const;

  bool operator==(const motion_plan&) const = default;

 private:
  std::vector<motion<N>> entries_;
};

}  // namespace wherry
