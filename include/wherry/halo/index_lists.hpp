/// @file
/// Which elements an unstructured mesh exchanges: lists of indices for each peer, or the owners of ghosts. Values.
#pragma once

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
