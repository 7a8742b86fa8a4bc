/// @file
/// Motion plans: lists that say which section of one box moves to which section of another (KeLP's MotionPlan; KeLP,
/// section 2).
///
///     wherry::motion_plan<3> mine;
///     mine.copy(0, {{0, 0, 0}, {4, 1, 1}}, 1, {{0, 8, 0}, {2, 10, 1}});  // 4 × 1 points of box 0 to 2 × 2 of box 1
///     wherry::mover move(mine, u, v);
///     move();
///
/// Motion plans are local values and make no MPI call. For halos, redistributions and transpositions use the builders
/// of motions.hpp, which make only a rank's own entries and keep no list.
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

/// A permutation of the dimensions: dimension d of the destination runs along dimension `axes[d]` of the source.
template <int N> using axis_permutation = std::array<std::int8_t, static_cast<std::size_t>(N)>;

/// The permutation that changes nothing.
template <int N> constexpr axis_permutation<N> same_axes() {
  axis_permutation<N> axes{};
  for (std::size_t d = 0; d < N; ++d) axes[d] = static_cast<std::int8_t>(d);
  return axes;
}

/// One entry of a motion plan: the cells `source` of box `from` move to the cells `destination` of box `to`. Both
/// sections have the same number of points. Sections with the same extents (along `axes`) correspond point by point;
/// sections of different shapes are both traversed in column-major order, dimension 0 fastest.
template <int N> struct motion {
  int from = 0, to = 0;  ///< numbers of the boxes in the source's and in the destination's floor plan
  box<N> source{}, destination{};
  axis_permutation<N> axes = same_axes<N>();

  /// The motion from the destination back to the source.
  motion reversed() const;

  bool operator==(const motion&) const = default;
};

/// A list of motions between two floor plans, or within one. The order of the entries has no meaning: if destinations
/// overlap, it is undefined which entry arrives last. The source and the destination of one entry may overlap; the
/// result is as if the whole source were read before anything is written. An entry must not read cells that another
/// entry writes.
///
/// A motion plan need not be the same on all ranks: a rank needs the entries whose source or destination box it owns
/// and ignores all others. Two ranks must agree on the entries between them.
template <int N> class motion_plan {
 public:
  using motion_type = motion<N>;

  motion_plan() = default;
  explicit motion_plan(std::vector<motion<N>> entries) : entries_(std::move(entries)) {}

  /// Adds an entry (KeLP's M.Copy; KeLP, figure 4). It is checked when a mover is made, not here.
  void copy(int from, const box<N>& source, int to, const box<N>& destination) {
    entries_.push_back({from, to, source, destination, same_axes<N>()});
  }
  /// Adds an entry with the same cells on both sides.
  void copy(int from, int to, const box<N>& cells) { copy(from, cells, to, cells); }
  void add(const motion<N>& entry) { entries_.push_back(entry); }
  void append(const motion_plan& other) { entries_.insert(entries_.end(), other.begin(), other.end()); }
  void reserve(std::size_t entries) { entries_.reserve(entries); }

  /// Removes entry k; later entries move up. @throws error(argument) if there is no entry k.
  void remove(std::size_t k) {
    if (k >= size())
      throw error(error_kind::argument, "motion_plan",
                  detail::text("there is no entry ", k, "; the plan has ", size()));
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  /// Removes the entries for which `unwanted(entry)` is true. @return the number of removed entries
  template <class Unwanted> std::size_t remove_if(Unwanted&& unwanted) { return std::erase_if(entries_, unwanted); }
  void clear() { entries_.clear(); }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  const motion<N>& operator[](std::size_t k) const { return entries_[k]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  /// Entries may be changed in place. The change does not affect movers that exist already.
  motion<N>& operator[](std::size_t k) { return entries_[k]; }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  std::span<const motion<N>> entries() const { return entries_; }

  /// The plan with every entry reversed. A reversed halo motion moves ghost cells to the cells that they copy (with an
  /// update, it adds them up); a reversed redistribution moves the data back.
  motion_plan reversed() const;

  /// A readable table of the entries by pairs of owners, with at most `most_rows` rows. Owners that a partial floor
  /// plan does not know are printed as '?'.
  std::string explain(const floor_plan<N>& source, const floor_plan<N>& destination, int most_rows = 64) const;
  /// The plan as JSON, in the form that `run plot` reads: {"kind": "motion_plan", "dimensions", "source",
  /// "destination", "entries": [{"from", "source": {"lower", "upper"}, "to", "destination": {"lower", "upper"},
  /// "axes"}, …]}. "source" and "destination" at the top are floor plans in the form of `floor_plan::to_json`.
  std::string to_json(const floor_plan<N>& source, const floor_plan<N>& destination) const;

  bool operator==(const motion_plan&) const = default;

 private:
  std::vector<motion<N>> entries_;
};

}  // namespace wherry
