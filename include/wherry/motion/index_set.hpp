/// @file
/// Sets of integers, such as the nodes of a part of a mesh, with the set operations that movers need.
///
///     auto nodes = wherry::union_of(wherry::index_set::range(0, 61), {100, 105});
///     auto shared = wherry::intersection(nodes, wherry::index_set::range(50, 111));
///     for (const auto node : shared) sum += values[nodes.place_of(node)];
///
/// An index set is the usual index domain (index_domain.hpp) of floor plans, arrays and movers that are not about
/// boxes. It is a local value.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "wherry/core/plain_algorithms.hpp"
#include "wherry/geometry/box.hpp"

namespace wherry {

namespace detail {

/// The consecutive integers from `first` to `first + count`, the end excluded.
struct index_run {
  index_t first = 0, count = 0;
  bool operator==(const index_run&) const = default;
};

}  // namespace detail

/// A set of integers, stored as ascending runs of consecutive members, so that consecutive numbers take no memory. As
/// an index domain, its points are its members in ascending order. Operations are linear in the number of runs;
/// construction from an unordered list is O(n log n).
class index_set {
 public:
  class iterator;

  index_set() = default;
  index_set(std::initializer_list<index_t> members);
  /// The members may be in any order; repeated ones count once.
  explicit index_set(std::vector<index_t> members);
  /// The runs may be in any order, overlap or be empty.
  /// @throws error(argument) for a run that is no range of 64-bit integers.
  explicit index_set(std::vector<detail::index_run> runs);
  /// The set of the integers from `first` to `last`, the end excluded.
  static index_set range(index_t first, index_t last);

  /// Number of members.
  index_t size() const { return runs_.empty() ? 0 : places_.back() + runs_.back().count; }
  bool empty() const { return runs_.empty(); }
  bool contains(index_t member) const { return place_of(member) >= 0; }
  bool contains(const index_set& other) const;
  /// The number of smaller members, which is the member's place counted from 0; -1 if the set does not contain
  /// `member`. Logarithmic.
  index_t place_of(index_t member) const;
  /// The member at a place. @throws error(argument) unless 0 <= place < size.
  index_t operator[](index_t place) const;

  /// The runs of the set: as long as possible, ascending.
  std::span<const detail::index_run> runs() const;
  iterator begin() const;
  iterator end() const;

  // The operations of an index domain (index_domain.hpp).

  /// Calls `visit(first, count)` for each run of places that the members of `section` have in this set, ascending.
  template <class Visit> void for_each_place(const index_set& section, Visit&& visit) const {
    std::size_t here = 0;
    for (const auto& wanted : section.runs_) {
      here = run_of(wanted.first, here);
      for (; here < runs_.size() && runs_[here].first < wanted.first + wanted.count; ++here) {
        const index_t first = detail::most(runs_[here].first, wanted.first);
        const index_t last = detail::least(runs_[here].first + runs_[here].count, wanted.first + wanted.count);
        visit(places_[here] + first - runs_[here].first, last - first);
        if (runs_[here].first + runs_[here].count > last) break;  // the next run of `section` may lie in it too
      }
    }
  }
  std::vector<box<1>> cover() const;
  /// The set whose members are the points of the boxes.
  static index_set from_cover(std::span<const box<1>> boxes);

  bool operator==(const index_set& other) const;

 private:
  friend index_set intersection(const index_set& a, const index_set& b);
  friend index_set difference(const index_set& a, const index_set& b);

  /// The first run, at index `from` or later, that ends behind `member`.
  std::size_t run_of(index_t member, std::size_t from = 0) const;
  /// Appends a run and joins it with the last one if they touch. Calls must be in ascending order.
  void append(index_t first, index_t last);

  std::vector<detail::index_run> runs_;
  std::vector<index_t> places_;  // the place of each run's first member
};

index_set intersection(const index_set& a, const index_set& b);
index_set union_of(const std::vector<index_set>& sets);
index_set union_of(const index_set& a, const index_set& b);
/// The members of `a` that are not in `b`.
index_set difference(const index_set& a, const index_set& b);
/// The set with `offset` added to every member.
index_set shift(const index_set& a, index_t offset);

/// Visits the members in ascending order.
class index_set::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = index_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const index_t*;
  using reference = index_t;

  iterator() = default;
  explicit iterator(const detail::index_run* run) : run_(run) {}

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
  const detail::index_run* run_ = nullptr;
  index_t inside_ = 0;
};

inline index_set::iterator index_set::begin() const { return iterator(runs_.data()); }
inline index_set::iterator index_set::end() const { return iterator(runs_.data() + runs_.size()); }

}  // namespace wherry
