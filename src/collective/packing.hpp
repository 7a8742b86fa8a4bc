// Packs data of any datatype to contiguous bytes, and unpacks it, by MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "scratch.hpp"

namespace wherry::collective {

/// Packs `count` elements with `size` bytes of data each.
/// @throws error(mpi) if MPI packs them to another number of bytes
void pack(const void* from, std::byte* to, std::int64_t count, MPI_Datatype type, std::int64_t size);
void unpack(const std::byte* from, void* to, std::int64_t count, MPI_Datatype type, std::int64_t size);

/// Memory for `count` elements in the layout of a user's datatype, with zeros in its gaps.
class typed_memory {
 public:
  typed_memory(scratch_pool& pool, MPI_Datatype type, std::int64_t count);
  /// The address to pass to MPI.
  void* data() const { return origin_; }

 private:
  scratch memory_;
  void* origin_ = nullptr;
};

}  // namespace wherry::collective
