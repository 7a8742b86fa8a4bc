/// @file
/// Motion plans: MotionPlan1 to MotionPlan6 (KeLP, section 2 and figure 4).
#pragma once

#include <cstddef>
#include <utility>

#include "wherry/motion/motion_plan.hpp"

#include "kelp/floor_plan.hpp"

namespace kelp {

/// The motion (D(i) on Rd) ⇐ (S(j) on Rs), in the order ⟨Rs, i, Rd, j⟩ of the KeLP paper: its text pairs i with the
/// destination and j with the source.
template <int D> struct MotionPlanEntry {
  Region<D> Rs;
  int i = 0;
  Region<D> Rd;
  int j = 0;

  bool operator==(const MotionPlanEntry&) const = default;
};

/// A list of motions. Each process needs at least the entries in which it owns the source or the destination; it may
/// have all of them.
template <int D> class MotionPlan {
 public:
  MotionPlan() = default;
  MotionPlan(wherry::motion_plan<D> plan) : plan_(std::move(plan)) {}

  /// Adds a motion from a section to a section of as many points (figure 4): `M.Copy(U(i) * R, U(j) * R)`.
  void Copy(const Section<D>& source, const Section<D>& destination) {
    Copy(source.element(), source, destination.element(), destination);
  }
  /// Adds a motion from (U(i) on Rs) to (U(j) on Rd): `M.Copy(U(i), Rs, U(j), Rd)`.
  void Copy(const Section<D>& source, const Region<D>& Rs, const Section<D>& destination, const Region<D>& Rd) {
    Copy(source.element(), Rs, destination.element(), Rd);
  }
  /// Adds a motion between elements given by their numbers.
  void Copy(int source, const Region<D>& Rs, int destination, const Region<D>& Rd) {
    if (!Rs.empty() || !Rd.empty()) plan_.copy(source, Rs.box(), destination, Rd.box());
  }
  void copy(const Section<D>& source, const Section<D>& destination) { Copy(source, destination); }
  void copy(const Section<D>& source, const Region<D>& Rs, const Section<D>& destination, const Region<D>& Rd) {
    Copy(source, Rs, destination, Rd);
  }
  void copy(int source, const Region<D>& Rs, int destination, const Region<D>& Rd) {
    Copy(source, Rs, destination, Rd);
  }
  void append(const MotionPlanEntry<D>& entry) { Copy(entry.j, entry.Rs, entry.i, entry.Rd); }
  void append(const MotionPlan& other) {
    for (const auto& entry : other) append(entry);
  }

  /// Replaces M(k) by `entry`, for 1 ≤ k ≤ n. Movers that were made before are not affected.
  /// @throws wherry::error(argument) if k is out of range
  void set(int k, const MotionPlanEntry<D>& entry) {
    auto& there = plan_[place(k)];
    there = {entry.j, entry.i, entry.Rs.box(), entry.Rd.box(), wherry::same_axes<D>()};
  }
  /// Removes M(k); the entries after it move up.
  /// @throws wherry::error(argument) if k is out of range
  void remove(int k) { plan_.remove(place(k)); }
  /// Removes all entries for which `unwanted(entry)` is true.
  /// @return the number of entries removed
  template <class Unwanted> int remove_if(Unwanted&& unwanted) {
    return static_cast<int>(plan_.remove_if([&](const auto& one) { return unwanted(entry_of(one)); }));
  }
  void clear() { plan_.clear(); }

  /// Number of entries.
  int size() const { return static_cast<int>(plan_.size()); }
  /// M(k) for 1 ≤ k ≤ n, numbered as in the KeLP paper.
  /// @throws wherry::error(argument) if k is out of range
  MotionPlanEntry<D> operator()(int k) const { return entry_of(plan_[place(k)]); }

  /// Iterates in range-based loops. It returns entries by value; `set` changes them.
  class iterator {
   public:
    iterator(const MotionPlan& plan, std::size_t at) : plan_(&plan), at_(at) {}
    MotionPlanEntry<D> operator*() const { return entry_of(plan_->plan()[at_]); }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const iterator&) const = default;

   private:
    const MotionPlan* plan_;
    std::size_t at_;
  };
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, plan_.size()}; }

  /// The same motion plan as a Wherry object.
  const wherry::motion_plan<D>& plan() const { return plan_; }

 private:
  static MotionPlanEntry<D> entry_of(const wherry::motion<D>& one) {
    return {one.source, one.to, one.destination, one.from};
  }
  std::size_t place(int k) const { return detail::checked("MotionPlan", k - 1, plan_.size()); }

  wherry::motion_plan<D> plan_;
};

using MotionPlan1 = MotionPlan<1>;
using MotionPlan2 = MotionPlan<2>;
using MotionPlan3 = MotionPlan<3>;
using MotionPlan4 = MotionPlan<4>;
using MotionPlan5 = MotionPlan<5>;
using MotionPlan6 = MotionPlan<6>;

}  // namespace kelp
