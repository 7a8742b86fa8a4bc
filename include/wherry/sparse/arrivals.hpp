/// @file
/// The result of a sparse exchange: elements by the rank that sent them.
///
///     const auto arrived = wherry::send_to(comm, owners, particles);
///     for (const auto& [source, elements] : arrived) take(elements, source);  // in the order of the ranks
///     keep(arrived.all);                                                      // one list of all of them
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace wherry {

/// Elements that have arrived, ordered by the rank that sent them, and for each rank in the order in which it gave
/// them. The order does not depend on time or on the algorithm.
template <class T> class arrivals {
 public:
  std::vector<T> all;  ///< the elements of all sources, in one list

  /// The ranks that sent something, in ascending order. A rank that sent a parcel without elements is one of them.
  std::span<const int> sources() const { return ranks_; }
  /// The elements that `rank` sent; none if it sent nothing.
  std::span<const T> from(int rank) const {
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    if (found == ranks_.end() || *found != rank) return {};
    return part(static_cast<std::size_t>(found - ranks_.begin()));
  }
  /// The rank that sent element `place` of `all`.
  int source_of(std::size_t place) const {
    const auto after = std::upper_bound(offsets_.begin(), offsets_.end(), place);
    return ranks_[static_cast<std::size_t>(after - offsets_.begin()) - 1];
  }

  /// Goes through the pairs (source, its elements).
  class iterator {
   public:
    using value_type = std::pair<int, std::span<const T>>;
    using difference_type = std::ptrdiff_t;
    iterator() = default;
    iterator(const arrivals& of, std::size_t place) : of_(&of), place_(place) {}
    value_type operator*() const { return {of_->ranks_[place_], of_->part(place_)}; }
    iterator& operator++() {
      ++place_;
      return *this;
    }
    iterator operator++(int) {
      auto before = *this;
      ++place_;
      return before;
    }
    bool operator==(const iterator& other) const { return place_ == other.place_; }

   private:
    const arrivals* of_ = nullptr;
    std::size_t place_ = 0;
  };
  iterator begin() const { return {*this, 0}; }
  iterator end() const { return {*this, ranks_.size()}; }

  bool operator==(const arrivals&) const = default;

  /// For the library: the lists behind `sources` and `from`.
  std::vector<int>& ranks_to_fill() { return ranks_; }
  std::vector<std::size_t>& offsets_to_fill() { return offsets_; }

 private:
  std::span<const T> part(std::size_t place) const {
    const auto end = place + 1 < offsets_.size() ? offsets_[place + 1] : all.size();
    return std::span(all).subspan(offsets_[place], end - offsets_[place]);
  }

  std::vector<int> ranks_;
  std::vector<std::size_t> offsets_;  // where the elements of each rank begin in `all`
};

}  // namespace wherry
