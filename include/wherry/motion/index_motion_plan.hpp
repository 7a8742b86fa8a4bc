/// @file
/// Motion plans between index domains: which points of which part go where. Pure values; no MPI.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wherry/motion/index_domain.hpp"
#include "wherry/motion/index_floor_plan.hpp"

namespace wherry {

/// One dependence: (D(to) on `destination`) ⇐ (S(from) on `source`). Both sections have as many points, which
/// correspond in their order.
template <index_domain Domain = index_set> struct index_motion {
  int from = 0, to = 0;  ///< numbers of parts in the source's and in the destination's floor plan
  Domain source{}, destination{};

  /// From the destination to the source.
  index_motion reversed() const { return {to, from, destination, source}; }
};

/// What `motion_plan` is for boxes. A rank needs the entries whose source or destination it owns, and ignores all
/// others. Two ranks must agree on the entries between them; where there are several between the same two parts, on
/// their order too.
template <index_domain Domain> class index_motion_plan {
 public:
  using motion_type = index_motion<Domain>;

  index_motion_plan() = default;

  /// Adds an entry. Checked when a mover is made, not here.
  void copy(int from, Domain source, int to, Domain destination) {
    entries_.push_back({from, to, std::move(source), std::move(destination)});
  }
  /// The same points on both sides.
  void copy(int from, int to, const Domain& points) { copy(from, points, to, points); }
  void add(const index_motion<Domain>& entry) { entries_.push_back(entry); }
  void reserve(std::size_t entries) { entries_.reserve(entries); }
  void append(const index_motion_plan& other) { entries_.insert(entries_.end(), other.begin(), other.end()); }

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  const index_motion<Domain>& operator[](std::size_t k) const { return entries_[k]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  /// Every entry backwards: an update of shared points becomes their sum at the owners.
  index_motion_plan reversed() const {
    index_motion_plan result;
    for (const auto& e : entries_) result.add(e.reversed());
    return result;
  }

  /// A table a person can read: the entries by pairs of owners, `most_rows` of them at most. Owners that a partial
  /// floor plan does not know are '?'.
  std::string explain(const index_floor_plan<Domain>& source, const index_floor_plan<Domain>& destination,
                      int most_rows = 64) const;

 private:
  std::vector<index_motion<Domain>> entries_;
};

namespace detail {

/// An entry without its points. Owners may be -1: not known.
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
