// The operation of one call, on packed elements.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "datatypes.hpp"
#include "scratch.hpp"

namespace wherry::collective {

/// Computes `out[i] = left[i] op right[i]`; `out` may be `left` or `right`.
using combine_kernel = void (*)(std::byte* out, const std::byte* left, const std::byte* right, std::size_t count);

/// Wherry's own code, for the types of number that solvers reduce; null: MPI does it.
combine_kernel find_kernel(MPI_Op op, wherry::detail::number_place what);

/// An MPI operation for a datatype, each predefined or the user's. Packed elements are `element_bytes()` long.
class reducer {
 public:
  reducer() = default;
  reducer(MPI_Op op, MPI_Datatype type, const datatype_facts& facts, scratch_pool& pool);

  std::int64_t element_bytes() const { return facts_.size; }
  bool commutative() const { return commutative_; }

  /// Computes `out = left op right` for `count` elements; `left` comes from the lower rank. `out` may be either.
  void combine(std::byte* out, const std::byte* left, const std::byte* right, std::int64_t count) const {
    if (kernel_ != nullptr) {
      kernel_(out, left, right, static_cast<std::size_t>(count));
    } else if (count > 0) {
      combine_by_mpi(out, left, right, count);
    }
  }

 private:
  void combine_by_mpi(std::byte* out, const std::byte* left, const std::byte* right, std::int64_t count) const;
  void combine_unpacked(std::byte* out, const std::byte* left, const std::byte* right, int count) const;

  MPI_Op op_ = MPI_OP_NULL;
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  datatype_facts facts_;
  scratch_pool* pool_ = nullptr;
  combine_kernel kernel_ = nullptr;
  bool commutative_ = true;
};

}  // namespace wherry::collective
