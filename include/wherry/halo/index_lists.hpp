/// @file
/// Index lists: they say which elements of an unstructured mesh or a sparse matrix a rank exchanges with each peer.
/// This header also makes them from ghosts, from global ids, and from the flat lists of other codes.
///
///     std::vector<wherry::ghost> ghosts{{1, 0, 10}, {1, 3, 11}};  // elements 0 and 3 of rank 1 are 10 and 11 here
///     auto lists = wherry::resolve_ghosts(comm, ghosts);
///     wherry::index_exchange fill(comm, lists, values);
///     fill();
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

/// The local indices of the elements that go to, or come from, one rank, in the order in which they travel.
struct peer_indices {
  int peer = 0;
  std::vector<index_t> at;
  bool operator==(const peer_indices&) const = default;
};

/// One rank's part of an index exchange. The k-th element that rank a sends to rank b arrives at the k-th index that b
/// receives from a. A rank may send to itself.
struct index_lists {
  std::vector<peer_indices> sends, receives;
  bool operator==(const index_lists&) const = default;
};

/// A local copy of another rank's element: element `index_there` of rank `owner` has a copy at `index_here` on this
/// rank. Both are local indices.
struct ghost {
  int owner = 0;
  index_t index_there = 0;  ///< of the element at its owner
  index_t index_here = 0;   ///< of its copy on this rank
};

/// Makes the index lists that fill ghosts from their owners, by telling each owner which of its elements are needed.
/// Collective over `comm`. The cost depends on the ranks that share elements, not on the number of pairs of ranks.
/// @param ghosts the ghosts of this rank, in any order; the lists are in ascending order of `index_here`
/// @throws error(argument) on all ranks alike for an owner that is not a rank, a negative index, or a local element
///         that is named twice.
index_lists resolve_ghosts(const communicator& comm, std::span<const ghost> ghosts);

namespace detail {

/// A view of the user's integers of 4 or 8 bytes in an array, a vector or a span. Refers to them.
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
  /// The i-th integer. Unsigned numbers beyond the signed range become negative.
  std::int64_t operator[](std::size_t i) const { return wide_ ? at<std::int64_t>(i) : at<std::int32_t>(i); }

 private:
  template <class Number> Number at(std::size_t i) const {  // copied, because `long` and `long long` may not alias
    Number number;
    std::memcpy(&number, static_cast<const std::byte*>(first_) + i * sizeof number, sizeof number);
    return number;
  }

  const void* first_ = nullptr;
  std::size_t count_ = 0;
  bool wide_ = false;
};

}  // namespace detail

/// Index lists in the form of codes such as HPCG and PETSc: the neighbours, the number of elements for each, and the
/// indices of all neighbours in one list.
struct flat_lists {
  detail::integer_span neighbors;        ///< the neighbouring ranks, each once
  detail::integer_span send_lengths;     ///< number of elements sent to each neighbour
  detail::integer_span sent;             ///< local indices of the sent elements
  detail::integer_span receive_lengths;  ///< number of elements received from each neighbour
  detail::integer_span received{};       ///< local indices of the received elements; empty: from `first_external` on
  index_t first_external = 0;            ///< number of local rows; unless it is 0, sent elements must lie below it
};

/// Makes index lists from flat lists. Collective over `comm`.
/// @throws error(argument) on all ranks alike for a neighbour that is not a rank or is listed twice, a negative length,
///         lengths that do not add up to the number of indices, and an index that is negative, not a row, or received
///         twice.
index_lists make_lists(const communicator& comm, const flat_lists& flat);

/// Makes index lists for elements that ranks know by global ids only, by finding the owner of each id. Collective over
/// `comm`.
/// @param rows the ids of this rank's elements, in their local order: any numbers from 0 on, each on one rank only
/// @param externals the ids of the elements that are copies of other ranks' elements; locally they follow the rows, in
///        this order
/// @throws error(argument) on all ranks alike for an id that is negative, that no rank or several ranks have as a row,
///         or that is external twice.
index_lists resolve_ids(const communicator& comm, const detail::integer_span& rows,
                        const detail::integer_span& externals);

namespace detail {

/// One array of elements, with its type erased.
struct index_field {
  std::string name;
  void* data = nullptr;  ///< element 0
  index_t element = 1;   ///< bytes of an element that travel
  index_t stride = 1;    ///< bytes from one element to the next
  index_t count = 0;     ///< number of elements
  memory_space space = memory_space::host;
  plans::element_type type{};  ///< kind and bytes of the numbers in an element
};

}  // namespace detail

/// Makes the schedule of `rank` for some lists and arrays. Local; makes no MPI call.
/// @param reverse true if ghosts travel to their owners
/// @param gives_back true if the owners' elements then travel to the ghosts, in a second stage
/// @param operations the operations on arrival. Contributions are combined in ascending order of their peers
/// @param packet_bytes messages with more bytes are cut; 0 for no limit
/// @throws error(argument) for an index outside an array, or if the rank sends itself more or fewer elements than it
///         receives from itself.
plans::schedule plan_indices(const index_lists& lists, std::span<const detail::index_field> fields, bool reverse,
                             bool gives_back, const plans::field_operations& operations, int rank,
                             std::int64_t packet_bytes = 0);

}  // namespace wherry
