// A case's arrays and mover, with their types erased: what stands between the oracle and the library.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "wherry/motion/mover.hpp"

#include "motion/mpi/oracle.hpp"

namespace wherry_test {

// The arrays of a case on one rank, twice over, and the mover between the first of them.
struct live_motion {
  array_memory source, destination;              // the same memory when endogenous
  array_memory other_source, other_destination;  // of the same shapes
  std::shared_ptr<void> arrays;                  // which outlive the mover, that may be in flight
  std::shared_ptr<wherry::mover> mover;
  std::function<void(bool others)> start, start_in_parts;  // by way of the mover's start with arrays
};

// Collective. `update` is the mover's.
live_motion bind(const motion_case& what, const wherry::communicator& comm,
                 const std::optional<wherry::reduction>& update = {});

// Entries as a plan, and the boxes of an array as a floor plan; the number of dimensions is the case's.
template <int N> wherry::box<N> box_from(const section& s);
template <int N> section section_from(const wherry::box<N>& b);
template <int N> wherry::floor_plan<N> floor_plan_from(const array_case& a);

}  // namespace wherry_test

template <int N> wherry::box<N> wherry_test::box_from(const section& s) {
  wherry::box<N> b;
  for (std::size_t d = 0; d < N; ++d) {
    b.lower[d] = s.lower[d];
    b.upper[d] = s.upper[d];
  }
  return b;
}

template <int N> wherry_test::section wherry_test::section_from(const wherry::box<N>& b) {
  section s;
  for (std::size_t d = 0; d < N; ++d) {
    s.lower[d] = b.lower[d];
    s.upper[d] = b.upper[d];
  }
  return s;
}

template <int N> wherry::floor_plan<N> wherry_test::floor_plan_from(const array_case& a) {
  wherry::floor_plan<N> plan;
  for (std::size_t i = 0; i < a.boxes.size(); ++i) plan.add(box_from<N>(a.boxes[i]), a.owners[i]);
  return plan;
}
