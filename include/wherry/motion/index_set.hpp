/// @file
/// Sets of integers, such as the nodes of a part of a mesh, with the calculus that boxes have (paper 4, section 5:
/// index domains of one's own). Pure values; no MPI.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "wherry/core/plain_algorithms.hpp"
#include "wherry/geometry/box.hpp"

namespace wherry {

/// Integers without a gap: `first` to `first + count`, exclusive.
struct index_run {
  index_t first = 0, count = 0;
  bool operator==(const index_run&) const = default;
};

/// A set of integers, kept as ascending runs: what is numbered consecutively costs nothing. An index domain whose
/// points are its members in ascending order. Operations are linear in the runs, or n log n in what comes in no order.
class index_set {
 public:
  class iterator;

  index_set() = default;
  index_set(std::initializer_list<index_t> members);
  /// In any order; repeated ones count once.
  explicit index_set(std::vector<index_t> members);
  /// In any order; may overlap or be empty.
  explicit index_set(std::vector<index_run> runs);
  /// `first` to `last`, exclusive.
  static index_set range(index_t first, index_t last);

  /// Number of members.
  index_t size() const { return runs_.empty() ? 0 : places_.back() + runs_.back().count; }
  bool empty() const { return runs_.empty(); }
  bool contains(index_t member) const { return place_of(member) >= 0; }
  bool contains(const index_set& other) const;
  /// How many members are smaller: where a member stands, from 0. -1 for what is not a member. Logarithmic.
  index_t place_of(index_t member) const;
  /// The member at that place. @throws error(argument) outside 0 ≤ place < size.
  index_t operator[](index_t place) const;

  /// Maximal, ascending.
  std::span<const index_run> runs() const;
  iterator begin() const;
  iterator end() const;

  // What makes it an index domain (index_domain.hpp).

  /// Calls `visit(first, count)` for the places of the members of `section` in this set, in their order.
  template <class Visit> void for_each_place(const index_set& section, Visit&& visit) const {
    std::size_t here = 0;
    for (const auto& wanted : section.runs_) {
      here = run_of(wanted.first, here);
      for (; here < runs_.size() && runs_[here].first < wanted.first + wanted.count; ++here) {
        const index_t first = detail::most(runs_[here].first, wanted.first);
        const index_t last = detail::least(runs_[here].first + runs_[here].count, wanted.first + wanted.count);
        visit(places_[here] + first - runs_[here].first, last - first);
        if (runs_[here].first + runs_[here].count > last) break;  // may hold more of the section
      }
    }
  }
  std::vector<box<1>> cover() const;
  /// A box of a cover and its members are the same thing.
  static index_set from_cover(std::span<const box<1>> boxes);

  bool operator==(const index_set& other) const;

 private:
  friend index_set intersection(const index_set& a, const index_set& b);
  friend index_set difference(const index_set& a, const index_set& b);

  /// The first run at `from` or later that ends behind `member`.
  std::size_t run_of(index_t member, std::size_t from = 0) const;
  /// Joins what touches; ascending calls.
  void append(index_t first, index_t last);

  std::vector<index_run> runs_;
  std::vector<index_t> places_;  // of each run's first member
};

index_set intersection(const index_set& a, const index_set& b);
index_set union_of(const std::vector<index_set>& sets);
index_set union_of(const index_set& a, const index_set& b);
/// What is in `a` and not in `b`.
index_set difference(const index_set& a, const index_set& b);
/// Every member plus `offset`.
index_set shift(const index_set& a, index_t offset);

/// Walks the members in ascending order.
class index_set::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = index_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const index_t*;
  using reference = index_t;

  iterator() = default;
  explicit iterator(const index_run* run) : run_(run) {}

  index_t operator*() const { return run_->first + inside_; }
  iterator& operator++() {
    if (++inside_ == run_->count) ++run_, inside_ = 0;
    return *this;
  }
  iterator operator++(int) {
    auto before = *this;
    ++*this;
    return before;
  }
  bool operator==(const iterator&) const = default;

 private:
  const index_run* run_ = nullptr;
  index_t inside_ = 0;
};

inline index_set::iterator index_set::begin() const { return iterator(runs_.data()); }
inline index_set::iterator index_set::end() const { return iterator(runs_.data() + runs_.size()); }

}  // namespace wherry
