// Data of any datatype to and from bytes that lie together, by MPI.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "scratch.hpp"

namespace wherry::collective {

/// `count` elements of `size` bytes of data each. @throws error(mpi) where MPI packs them into something else.
void pack(const void* from, std::byte* to, std::int64_t count, MPI_Datatype type, std::int64_t size);
void unpack(const std::byte* from, void* to, std::int64_t count, MPI_Datatype type, std::int64_t size);

/// Memory for `count` elements as they lie in a user's, whose gaps are zero.
class typed_memory {
 public:
  typed_memory(scratch_pool& pool, MPI_Datatype type, std::int64_t count);
  /// Where MPI looks for them.
  void* data() const { return origin_; }

 private:
  scratch memory_;
  void* origin_ = nullptr;
};

}  // namespace wherry::collective
