// One of a call's two buffers with its blocks, as the user describes it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "wherry/collective/call.hpp"

#include "datatypes.hpp"

namespace wherry::collective {

/// A part may be read only if it is significant on this rank.
struct side_of_call {
  std::byte* buffer = nullptr;
  std::int64_t count = 0;  ///< of each block, if there is no list of counts
  count_list counts;
  place_list displacements;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const MPI_Datatype* types = nullptr;  ///< with these, displacements are in bytes
  const MPI_Aint* addresses = nullptr;  ///< instead of displacements

  static side_of_call sent(const call& c) {
    return {static_cast<std::byte*>(const_cast<void*>(c.send)),
            c.send_count,
            c.send_counts,
            c.send_displacements,
            c.send_type,
            c.send_types,
            c.send_addresses};
  }
  static side_of_call received(const call& c) {
    return {static_cast<std::byte*>(c.receive),
            c.receive_count,
            c.receive_counts,
            c.receive_displacements,
            c.receive_type,
            c.receive_types,
            c.receive_addresses};
  }

  std::int64_t count_of(int block) const { return counts != nullptr ? counts[block] : count; }
  std::int64_t place_of(int block) const { return addresses != nullptr ? addresses[block] : displacements[block]; }
  MPI_Datatype type_of(int block) const { return types != nullptr ? types[block] : type; }
  /// The bytes of data in a block. The type of a block without elements may be anything.
  std::int64_t bytes_of(int block) const {
    const auto elements = count_of(block);
    return elements == 0 ? 0 : elements * facts_of(type_of(block)).size;
  }
  /// The bytes from the buffer's beginning to a block of elements with this extent.
  std::int64_t offset_of(int block, std::int64_t extent) const {
    if (types != nullptr) return place_of(block);
    return (displacements != nullptr ? displacements[block] : block * count) * extent;
  }
};

}  // namespace wherry::collective
