#include "reducer.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "wherry/core/mpi.hpp"

#include "packing.hpp"

namespace wherry::collective {

reducer::reducer(MPI_Op op, MPI_Datatype type, const datatype_facts& facts, scratch_pool& pool)
    : op_(op), type_(type), facts_(facts), pool_(&pool) {
  kernel_ = find_kernel(op, facts.what);
  if (kernel_ != nullptr) return;
  int commutes = 0;
  check_mpi(PMPI_Op_commutative(op, &commutes), "MPI_Op_commutative");
  commutative_ = commutes != 0;
}

void reducer::combine_by_mpi(std::byte* out, const std::byte* left, const std::byte* right, std::int64_t count) const {
  if (!facts_.dense) return combine_unpacked(out, left, right, count);
  const auto bytes = static_cast<std::size_t>(count * facts_.size);
  scratch kept;
  if (out == left) {  // MPI writes over its second operand
    kept = pool_->take(bytes);
    std::memcpy(kept.data(), left, bytes);
    left = kept.data();
  }
  if (out != right) std::memcpy(out, right, bytes);
  for (std::int64_t done = 0; done < count;) {
    const auto now = static_cast<int>(std::min<std::int64_t>(count - done, std::numeric_limits<int>::max()));
    check_mpi(PMPI_Reduce_local(left + done * facts_.size, out + done * facts_.size, now, type_, op_),
              "MPI_Reduce_local");
    done += now;
  }
}

/// The operation wants them as they lie in the user's memory.
void reducer::combine_unpacked(std::byte* out, const std::byte* left, const std::byte* right,
                               std::int64_t count) const {
  const typed_memory first(*pool_, type_, count), second(*pool_, type_, count);
  unpack(left, first.data(), count, type_, facts_.size);
  unpack(right, second.data(), count, type_, facts_.size);
  check_mpi(PMPI_Reduce_local(first.data(), second.data(), static_cast<int>(count), type_, op_), "MPI_Reduce_local");
  pack(second.data(), out, count, type_, facts_.size);
}

}  // namespace wherry::collective
