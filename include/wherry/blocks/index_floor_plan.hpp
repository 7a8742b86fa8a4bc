/// @file
/// Floor plans of index domains: parts of any shape, each with an owner. Pure values; no MPI.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "wherry/blocks/floor_plan.hpp"
#include "wherry/blocks/index_domain.hpp"
#include "wherry/core/error.hpp"

namespace wherry {

/// What `floor_plan` is for boxes: a table of domains and their owners. Parts are numbered from 0, may have points in
/// common and may be empty; a rank may own any number of them. Complete, or partial: it then knows the parts of its own
/// rank and those that this rank has to do with (index_resolve.hpp), and of those perhaps only some points.
template <index_domain Domain = index_set> class index_floor_plan {
 public:
  using domain_type = Domain;

  index_floor_plan() = default;
  /// Complete. @throws error(argument) when there are not as many owners as parts, or an owner is negative.
  index_floor_plan(std::vector<Domain> parts, owner_map owners) : parts_(std::move(parts)), owners_(std::move(owners)) {
    check();
  }
  /// Partial: `numbers` ascending, of `total` parts in all.
  /// @throws error(argument) for lists of different lengths, numbers that do not ascend or are not below `total`.
  index_floor_plan(int total, std::vector<int> numbers, std::vector<Domain> parts, owner_map owners)
      : total_(total), numbers_(std::move(numbers)), parts_(std::move(parts)), owners_(std::move(owners)) {
    if (numbers_.size() != parts_.size())
      fail(text("there are ", parts_.size(), " parts but ", numbers_.size(), " numbers"));
    check();
    for (std::size_t i = 0; i < numbers_.size(); ++i)
      if (numbers_[i] < 0 || numbers_[i] >= total || (i > 0 && numbers_[i] <= numbers_[i - 1]))
        fail(text("number ", numbers_[i], " does not ascend or is not below ", total));
  }

  /// Adds one part to a complete plan; its number is the size before.
  void add(Domain points, int owner) {
    if (!complete()) fail("a part was added to a partial plan");
    if (owner < 0) fail(text("part ", size(), " has owner ", owner));
    parts_.push_back(std::move(points));
    owners_.push_back(owner);
  }

  /// Number of parts, known or not.
  int size() const { return complete() ? known() : total_; }
  bool complete() const { return numbers_.empty() && total_ == 0; }
  bool knows(int number) const { return place_of(number) >= 0; }
  /// @throws error(argument) for a number that is out of range or not known.
  const Domain& operator[](int number) const { return parts_[checked_place(number)]; }
  int owner(int number) const { return owners_[checked_place(number)]; }

  /// The known parts, in ascending order of their numbers: the same thing as all parts when complete.
  int known() const { return static_cast<int>(parts_.size()); }
  int number_of(int place) const { return complete() ? place : numbers_[static_cast<std::size_t>(place)]; }
  std::span<const Domain> parts() const { return parts_; }
  std::span<const int> owners() const { return owners_; }
  /// Place of a part among the known ones, or -1.
  int place_of(int number) const {
    if (complete()) return number >= 0 && number < known() ? number : -1;
    const auto found = std::lower_bound(numbers_.begin(), numbers_.end(), number);
    return found == numbers_.end() || *found != number ? -1 : static_cast<int>(found - numbers_.begin());
  }

  /// Numbers of the parts that `rank` owns, ascending.
  std::vector<int> owned_by(int rank) const {
    std::vector<int> mine;
    for (int place = 0; place < known(); ++place)
      if (owners_[static_cast<std::size_t>(place)] == rank) mine.push_back(number_of(place));
    return mine;
  }

 private:
  [[noreturn]] static void fail(std::string_view what) { throw error(error_kind::argument, "index_floor_plan", what); }

  void check() const {
    if (owners_.size() != parts_.size())
      fail(text("there are ", parts_.size(), " parts but ", owners_.size(), " owners"));
    for (std::size_t i = 0; i < owners_.size(); ++i)
      if (owners_[i] < 0) fail(text("part ", number_of(static_cast<int>(i)), " has owner ", owners_[i]));
  }

  std::size_t checked_place(int number) const {
    const int place = place_of(number);
    if (place < 0) fail(text("part ", number, " of ", size(), " does not exist, or is not known to this rank"));
    return static_cast<std::size_t>(place);
  }

  int total_ = 0;             // 0: complete
  std::vector<int> numbers_;  // partial only
  std::vector<Domain> parts_;
  owner_map owners_;
};

}  // namespace wherry
