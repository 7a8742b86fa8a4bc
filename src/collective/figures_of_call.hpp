// The arguments of one rank's call without the addresses of buffers and lists: calls with equal figures mean the same.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "wherry/collective/call.hpp"

#include "datatypes.hpp"
#include "dense_call.hpp"
#include "reducer.hpp"

namespace wherry::collective {

/// Where a buffer lies. A call whose buffer is nowhere has to be checked again, although its counts were checked
/// before.
enum class buffer_place : std::uint8_t { memory, in_place, nowhere };
inline buffer_place place_of(const void* buffer) {
  if (buffer == MPI_IN_PLACE) return buffer_place::in_place;
  return buffer == nullptr ? buffer_place::nowhere : buffer_place::memory;
}

struct figures_of_call {
  std::int64_t send_count = 0, receive_count = 0;
  MPI_Datatype send_type = MPI_DATATYPE_NULL, receive_type = MPI_DATATYPE_NULL;
  MPI_Op op = MPI_OP_NULL;
  int root = -1;
  buffer_place send = buffer_place::memory, receive = buffer_place::memory;

  figures_of_call() = default;
  explicit figures_of_call(const call& c)
      : send_count(c.send_count),
        receive_count(c.receive_count),
        send_type(c.send_type),
        receive_type(c.receive_type),
        op(c.op),
        root(c.root),
        send(place_of(c.send)),
        receive(place_of(c.receive)) {}

  bool operator==(const figures_of_call&) const = default;
};

/// True if the figures determine the call for good. They do not with a datatype or operation of the user's, which may
/// be freed so that its handle is reused, nor with lists, which may change. A side that MPI does not read may hold
/// anything.
inline bool figures_say_all(const call& c, int rank) {
  const auto lasts = [](MPI_Datatype type) { return type == MPI_DATATYPE_NULL || facts_of(type).predefined; };
  if (c.send_counts != nullptr || c.receive_counts != nullptr) return false;
  if (c.op != MPI_OP_NULL) return lasts(c.send_type) && find_kernel(c.op, facts_of(c.send_type).number) != nullptr;
  const auto looks_at = significant_sides_of(c, rank);
  return (!looks_at.sends || lasts(c.send_type)) && (!looks_at.receives || lasts(c.receive_type));
}

}  // namespace wherry::collective
