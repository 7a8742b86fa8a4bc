/// @file
/// Map and FloorPlan: FloorPlan1 to FloorPlan6 (KeLP, section 2, table 1 and figure 3).
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/motion/floor_plan.hpp"

#include "kelp/region.hpp"

namespace kelp {
namespace detail {

inline std::size_t checked(std::string_view where, int i, std::size_t size) {
  if (i < 0 || static_cast<std::size_t>(i) >= size)
    throw wherry::error(wherry::error_kind::argument, where,
                        wherry::detail::text("there is no element ", i, " in a list of ", size));
  return static_cast<std::size_t>(i);
}

}  // namespace detail

/// A function from {0, …, k-1} to the integers, such as the owners of a FloorPlan's regions.
class Map {
 public:
  explicit Map(int k = 0, int everywhere = 0) : values_(static_cast<std::size_t>(k), everywhere) {}
  Map(std::vector<int> values) : values_(std::move(values)) {}

  /// The value at i.
  /// @throws wherry::error(argument) if i is out of range
  int operator()(int i) const { return values_[detail::checked("Map", i, values_.size())]; }
  void set(int i, int value) { values_[detail::checked("Map", i, values_.size())] = value; }
  int size() const { return static_cast<int>(values_.size()); }
  const std::vector<int>& values() const { return values_; }

 private:
  std::vector<int> values_;
};

/// A part of one element of a FloorPlan: a Region together with the number of its element. `U(i)` is the whole of
/// element i, and `U(i) * R` its part in R; `MotionPlan::Copy` takes both.
template <int D> class Section : public Region<D> {
 public:
  Section(int element, const Region<D>& part) : Region<D>(part), element_(element) {}
  int element() const { return element_; }
  /// (U(i) on R): any region, regarded as a part of the same element.
  Section on(const Region<D>& R) const { return {element_, R}; }

 private:
  int element_;
};
template <int D> Section<D> operator*(const Section<D>& section, const Region<D>& R) {
  return section.on(static_cast<const Region<D>&>(section) * R);
}

/// A table of Regions, each with an owner: a block decomposition, possibly irregular. Regions may overlap. The regions
/// of arrays with ghost cells include these. All processes must have the same FloorPlan.
template <int D> class FloorPlan {
 public:
  FloorPlan() = default;
  /// `n` empty regions, owned by process 0.
  explicit FloorPlan(int n) : regions_(static_cast<std::size_t>(n)), owners_(n) {}
  /// @throws wherry::error(argument) if there are not as many owners as regions
  FloorPlan(std::vector<Region<D>> regions, const Map& owners) : regions_(std::move(regions)), owners_(owners) {
    (void)plan();
  }
  /// @throws wherry::error(argument) for a partial floor plan
  FloorPlan(const wherry::floor_plan<D>& plan)
      : regions_(plan.boxes().begin(), plan.boxes().end()), owners_({plan.owners().begin(), plan.owners().end()}) {
    if (!plan.complete())
      throw wherry::error(wherry::error_kind::argument, "FloorPlan",
                          "'plan' is partial, but a FloorPlan of KeLP knows all its regions");
  }

  /// Element i, which is a Region.
  /// @throws wherry::error(argument) if i is out of range
  Section<D> operator()(int i) const { return {i, regions_[detail::checked("FloorPlan", i, regions_.size())]}; }
  int owner(int i) const { return owners_(i); }
  const Map& map() const { return owners_; }
  int size() const { return static_cast<int>(regions_.size()); }

  void setregion(int i, const Region<D>& R) { regions_[detail::checked("FloorPlan", i, regions_.size())] = R; }
  void setowner(int i, int process) { owners_.set(i, process); }

  /// The same floor plan as a Wherry object.
  wherry::floor_plan<D> plan() const { return {{regions_.begin(), regions_.end()}, owners_.values()}; }

 private:
  std::vector<Region<D>> regions_;
  Map owners_;
};

using FloorPlan1 = FloorPlan<1>;
using FloorPlan2 = FloorPlan<2>;
using FloorPlan3 = FloorPlan<3>;
using FloorPlan4 = FloorPlan<4>;
using FloorPlan5 = FloorPlan<5>;
using FloorPlan6 = FloorPlan<6>;

}  // namespace kelp
