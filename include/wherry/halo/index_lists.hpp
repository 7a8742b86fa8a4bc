/// @file
/// Which elements an unstructured mesh exchanges: lists of indices for each peer, or the owners of ghosts. Values.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/geometry/view.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// Local indices that go to, or come from, one rank, in the order in which they travel.
struct peer_indices {
  int peer = 0;
  std::vector<index_t> at;
  bool operator==(const peer_indices&) const = default;
};

/// One rank's part of an exchange by index: the k-th index that a sends to b arrives at the k-th that b receives from
/// a. A rank may name itself.
struct index_lists {
  std::vector<peer_indices> sends, receives;
  bool operator==(const index_lists&) const = default;
};

/// A copy of somebody's element: this rank's element `here` mirrors element `there` of `owner`.
struct ghost {
  int owner = 0;
  index_t there = 0, here = 0;
};

/// Collective. Tells the owners what is wanted of them. Costs what the ranks have to say to one another, not all pairs.
/// @param ghosts this rank's, in any order; the lists have them by ascending `here`
/// @throws error(argument) on all ranks alike: an owner that is no rank, a negative index, an element that is two
/// ghosts.
index_lists resolve_ghosts(const communicator& comm, std::span<const ghost> ghosts);

/// Integers of the user's, of 4 or 8 bytes: an array, a vector, a span. Refers to them. (What of <ranges> stands here
/// <span> brings along.)
class integer_span {
 public:
  integer_span() = default;
  template <std::ranges::contiguous_range Range>
    requires(std::integral<std::ranges::range_value_t<Range>> &&
             (sizeof(std::ranges::range_value_t<Range>) == 4 || sizeof(std::ranges::range_value_t<Range>) == 8))
  integer_span(const Range& range)
      : first_(std::ranges::data(range)),
        count_(static_cast<std::size_t>(std::ranges::size(range))),
        wide_(sizeof(std::ranges::range_value_t<Range>) == 8) {}

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  /// Unsigned ones beyond the signed range come out negative.
  std::int64_t operator[](std::size_t i) const { return wide_ ? at<std::int64_t>(i) : at<std::int32_t>(i); }

 private:
  template <class Number> Number at(std::size_t i) const {  // `long` and `long long` are different types
    Number number;
    std::memcpy(&number, static_cast<const std::byte*>(first_) + i * sizeof number, sizeof number);
    return number;
  }

  const void* first_ = nullptr;
  std::size_t count_ = 0;
  bool wide_ = false;
};

/// Lists as codes such as HPCG and PETSc keep them: the ranks, how much goes to each of them, and one list behind the
/// other, in the order of the ranks.
struct flat_lists {
  integer_span neighbors;        ///< ranks, each once
  integer_span send_lengths;     ///< how many elements go to each
  integer_span sent;             ///< their local indices
  integer_span receive_lengths;  ///< how many come from each …
  integer_span received{};       ///< … and where they go; none: from `first_external` on, one after the other
  index_t first_external = 0;    ///< where externals begin: behind the local rows. What is sent lies before, unless 0
};

/// Collective.
/// @throws error(argument) on all ranks alike: a neighbour that is no rank or comes twice, a negative length, lengths
///         and indices that do not add up, an index that is negative, no row, or received twice.
index_lists make_lists(const communicator& comm, const flat_lists& flat);

/// Collective. Who owns what this rank knows by global ids only, and where it stands there.
/// @param rows       the ids of this rank's elements, in their order; any numbers that are not negative, of which each
///                   belongs to one rank
/// @param externals  the ids of the elements that mirror others'; they stand behind the rows, in this order
/// @throws error(argument) on all ranks alike: an id that is negative, that several ranks or nobody has, or that is
///         external twice.
index_lists resolve_ids(const communicator& comm, const integer_span& rows, const integer_span& externals);

/// One array of elements, with types erased.
struct index_field {
  std::string name;
  void* data = nullptr;  ///< element 0
  index_t element = 1;   ///< bytes of one element that travel
  index_t stride = 1;    ///< bytes from one element to the next
  index_t count = 0;     ///< elements
  memory_space space = memory_space::host;
  element_type type{};  ///< what an element consists of
};

/// Pure. The schedule of `rank` for these lists and arrays.
/// @param reverse   the lists run backwards: ghosts travel to their owners
/// @param operation what happens on arrival: `store`, or a place in `functions::reductions`; in ascending order of
/// peers
/// @param packet_bytes longer lists are cut; 0: none is
/// @throws error(argument) for an index outside an array, lists to oneself of different lengths.
schedule plan_indices(const index_lists& lists, std::span<const index_field> fields, bool reverse, int operation,
                      int rank, std::int64_t packet_bytes = 0);

}  // namespace wherry
