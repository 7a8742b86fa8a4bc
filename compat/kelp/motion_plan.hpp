/// @file
/// Motion plans: MotionPlan1 to MotionPlan6 (paper 4, section 2 and figure 4).
#pragma once

#include "wherry/motion/motion_plan.hpp"

#include "kelp/floor_plan.hpp"

namespace kelp {

/// (D(i) on Rd) ⇐ (S(j) on Rs), in the paper's order ⟨Rs, i, Rd, j⟩: by its text i is the destination and j the source.
template <int D> struct MotionPlanEntry {
  Region<D> Rs;
  int i = 0;
  Region<D> Rd;
  int j = 0;
};

/// A list of dependences. The same on all processes, or at least their own entries on each.
template <int D> class MotionPlan {
 public:
  MotionPlan() = default;
  MotionPlan(wherry::motion_plan<D> plan) : plan_(std::move(plan)) {}

  /// From a section to a section of as many points (figure 4): `M.Copy(U(i) * R, U(j) * R)`.
  void Copy(const Section<D>& source, const Section<D>& destination) {
    Copy(source.element(), source, destination.element(), destination);
  }
  /// (U(i) on Rs) to (U(j) on Rd): `M.Copy(U(i), Rs, U(j), Rd)`.
  void Copy(const Section<D>& source, const Region<D>& Rs, const Section<D>& destination, const Region<D>& Rd) {
    Copy(source.element(), Rs, destination.element(), Rd);
  }
  /// By the elements' numbers.
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

  /// Number of entries.
  int size() const { return static_cast<int>(plan_.size()); }
  /// M(k) for 1 ≤ k ≤ n, as the paper counts them. @throws wherry::error(argument) out of range
  MotionPlanEntry<D> operator()(int k) const {
    const auto& entry = plan_[detail::checked("MotionPlan", k - 1, plan_.size())];
    return {entry.source, entry.to, entry.destination, entry.from};
  }

  /// As Wherry has it.
  const wherry::motion_plan<D>& plan() const { return plan_; }

 private:
  wherry::motion_plan<D> plan_;
};

using MotionPlan1 = MotionPlan<1>;
using MotionPlan2 = MotionPlan<2>;
using MotionPlan3 = MotionPlan<3>;
using MotionPlan4 = MotionPlan<4>;
using MotionPlan5 = MotionPlan<5>;
using MotionPlan6 = MotionPlan<6>;

}  // namespace kelp
