/// @file
/// Iterators over the elements of FloorPlans and XArrays (KeLP, figure 5, line 8).
#pragma once

#include <cstddef>
#include <vector>

#include "kelp/runtime.hpp"

namespace kelp {

/// Visits the elements that this process owns: `for (nodeIterator ni(F); ni; ++ni) { int i = ni(); … }`.
class nodeIterator {
 public:
  /// @param F a FloorPlan or an XArray
  template <class Collection> explicit nodeIterator(const Collection& F) {
    for (int i = 0; i < F.size(); ++i)
      if (F.owner(i) == self()) mine_.push_back(i);
  }
  explicit operator bool() const { return at_ < mine_.size(); }
  nodeIterator& operator++() {
    ++at_;
    return *this;
  }
  int operator()() const { return mine_[at_]; }

 private:
  std::vector<int> mine_;
  std::size_t at_ = 0;
};

/// Visits all elements, in the same order on every process.
class indexIterator {
 public:
  template <class Collection> explicit indexIterator(const Collection& F) : size_(F.size()) {}
  explicit operator bool() const { return at_ < size_; }
  indexIterator& operator++() {
    ++at_;
    return *this;
  }
  int operator()() const { return at_; }

 private:
  int size_, at_ = 0;
};

}  // namespace kelp
