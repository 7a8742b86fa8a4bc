/// @file
/// Motion plans between index domains: lists that say which points of one part move to which points of another.
/// Builders (index_motions.hpp) make the usual ones; write a list by hand for any other motion.
///
///     wherry::index_motion_plan<> plan;
///     plan.copy(0, {3, 5, 8}, 1, {0, 1, 2});  // the values at 3, 5, 8 of part 0 go to 0, 1, 2 of part 1
///     wherry::mover move(plan, u, v);         // u and v: index arrays
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wherry/motion/index_domain.hpp"
#include "wherry/motion/index_floor_plan.hpp"

namespace wherry {

/// One entry of a motion plan: the values at the points `source` of part `from` move to the points `destination` of
/// part `to`. Both sections have the same number of points, and the k-th point of one corresponds to the k-th of the
/// other.
template <index_domain Domain = index_set> struct index_motion {
  int from = 0, to = 0;  ///< numbers of the parts in the source's and in the destination's floor plan
  Domain source{}, destination{};

  /// The motion from the destination back to the source.
  index_motion reversed() const { return {to, from, destination, source}; }
};

/// A list of motions between index domains. A rank needs the entries whose source or destination part it owns and
/// ignores all others. Two ranks must agree on the entries between them and, for several entries between the same two
/// parts, on their order.
template <index_domain Domain> class index_motion_plan {
 public:
  using motion_type = index_motion<Domain>;

  index_motion_plan() = default;

  /// Adds an entry. It is checked when a mover is made, not here.
  void copy(int from, Domain source, int to, Domain destination) {
    entries_.push_back({from, to, std::move(source), std::move(destination)});
  }
  /// Adds an entry with the same points on both sides.
  void copy(int from, int to, const Domain& points) { copy(from, points, to, points); }
  void add(const index_motion<Domain>& entry) { entries_.push_back(entry); }
  void reserve(std::size_t entries) { entries_.reserve(entries); }
  void append(const index_motion_plan& other) { entries_.insert(entries_.end(), other.begin(), other.end()); }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  const index_motion<Domain>& operator[](std::size_t k) const { return entries_[k]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  /// The plan with every entry reversed. The reverse of a plan that copies the owners' values to the other ranks is the
  /// plan that adds contributions up at the owners.
  index_motion_plan reversed() const {
    index_motion_plan result;
    for (const auto& e : entries_) result.add(e.reversed());
    return result;
  }

  /// A readable table of the entries by pairs of owners, with at most `most_rows` rows. Owners that a partial floor
  /// plan does not know are printed as '?'.
  std::string explain(const index_floor_plan<Domain>& source, const index_floor_plan<Domain>& destination,
                      int most_rows = 64) const;

 private:
  std::vector<index_motion<Domain>> entries_;
};

namespace detail {

/// An entry without its points. An owner is -1 if it is not known.
struct counted_motion {
  int from_owner = 0, to_owner = 0, from = 0, to = 0;
  index_t points = 0;
};

std::string explain_motions(std::vector<counted_motion> entries, int most_rows);

}  // namespace detail

template <index_domain Domain>
std::string index_motion_plan<Domain>::explain(const index_floor_plan<Domain>& source,
                                               const index_floor_plan<Domain>& destination, int most_rows) const {
  const auto owner = [](const index_floor_plan<Domain>& plan, int number) {
    return plan.knows(number) ? plan.owner(number) : -1;
  };
  std::vector<detail::counted_motion> counted;
  for (const auto& e : entries_)
    counted.push_back(
        {owner(source, e.from), owner(destination, e.to), e.from, e.to, static_cast<index_t>(e.destination.size())});
  return detail::explain_motions(std::move(counted), most_rows);
}

}  // namespace wherry
