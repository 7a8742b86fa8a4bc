/// @file
/// One-sided calls in the memory of one rank, for an MPI that makes no window of one rank.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <string_view>
#include <vector>

#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/operation.hpp"

namespace MEL::detail {

/// `count` objects of a type.
struct region {
  void* ptr;
  int count;
  MPI_Datatype type;
};

/// Copies a region in this process to another one, which may have another shape.
/// @param self a communicator of this rank that no other code sends on
inline void copy(std::string_view where, const Comm& self, const region& from, const region& to) {
  static std::atomic<int> turn = 0;  // each thread needs a tag of its own
  const int tag = turn.fetch_add(1, std::memory_order_relaxed) & 0x7fff;
  call(where, MPI_Sendrecv, from.ptr, from.count, from.type, 0, tag, to.ptr, to.count, to.type, 0, tag, self,
       MPI_STATUS_IGNORE);
}

/// The predefined type that a type consists of.
inline MPI_Datatype basic_type(std::string_view where, MPI_Datatype type) {
  int numbers = 0, places = 0, types = 0, how = 0;
  call(where, MPI_Type_get_envelope, type, &numbers, &places, &types, &how);
  if (how == MPI_COMBINER_NAMED || types == 0) return type;
  std::vector<int> all_numbers(static_cast<std::size_t>(numbers));
  std::vector<MPI_Aint> all_places(static_cast<std::size_t>(places));
  std::vector<MPI_Datatype> parts(static_cast<std::size_t>(types));
  call(where, MPI_Type_get_contents, type, numbers, places, types, all_numbers.data(), all_places.data(), parts.data());
  const MPI_Datatype basic = basic_type(where, parts[0]);
  for (MPI_Datatype part : parts) {
    call(where, MPI_Type_get_envelope, part, &numbers, &places, &types, &how);
    if (how != MPI_COMBINER_NAMED) MPI_Type_free(&part);
  }
  return basic;
}

/// Does to `to` what MPI_Accumulate does at its target.
inline void accumulate(std::string_view where, const Comm& self, const region& from, const Op& op, const region& to) {
  if (op == Op::NO_OP) return;
  if (op == Op::REPLACE) return copy(where, self, from, to);
  const MPI_Datatype basic = basic_type(where, to.type);
  const int each = answer<int>(where, MPI_Type_size, basic);
  const long long bytes = static_cast<long long>(to.count) * answer<int>(where, MPI_Type_size, to.type);
  const auto n = static_cast<int>(each == 0 ? 0 : bytes / each);
  Aint begin = 0, extent = 0;
  call(where, MPI_Type_get_extent, basic, &begin, &extent);
  std::vector<std::byte> given(static_cast<std::size_t>(n * extent)), there(given.size());
  const region ours{given.data(), n, basic}, theirs{there.data(), n, basic};
  copy(where, self, from, ours);
  copy(where, self, to, theirs);
  call(where, MPI_Reduce_local, given.data(), there.data(), n, basic, op);
  copy(where, self, theirs, to);
}

}  // namespace MEL::detail
