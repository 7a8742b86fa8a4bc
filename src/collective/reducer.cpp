#include "reducer.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "wherry/core/mpi.hpp"

#include "packing.hpp"

namespace wherry::collective {

reducer::reducer(MPI_Op op, MPI_Datatype type, const datatype_facts& facts, scratch_pool& pool)
    : op_(op), type_(type), facts_(facts), pool_(&pool) {
  kernel_ = find_kernel(op, facts.number);
  if (kernel_ != nullptr) return;
  int commutes = 0;
  check_mpi(PMPI_Op_commutative(op, &commutes), "MPI_Op_commutative");
  commutative_ = commutes != 0;
}

namespace {

/// Calls `visit(first, count)` for parts that are small enough for MPI's ints.
template <class Visit> void in_parts(std::int64_t count, Visit&& visit) {
  for (std::int64_t first = 0; first < count;) {
    const auto now = static_cast<int>(std::min<std::int64_t>(count - first, std::numeric_limits<int>::max()));
    visit(first, now);
    first += now;
  }
}

/// True if the memory is aligned to the largest power of two that divides the element size: a user's operation may rely
/// on that.
bool lies_as_elements_do(const std::byte* memory, std::int64_t size) {
  const auto multiple = static_cast<std::uintptr_t>(std::min<std::int64_t>(64, size & -size));
  return reinterpret_cast<std::uintptr_t>(memory) % multiple == 0;
}

}  // namespace

void reducer::combine_by_mpi(std::byte* out, const std::byte* left, const std::byte* right, std::int64_t count) const {
  if (!facts_.dense)
    return in_parts(count, [&](std::int64_t first, int now) {
      const auto at = first * facts_.size;
      combine_unpacked(out + at, left + at, right + at, now);
    });
  const auto bytes = static_cast<std::size_t>(count * facts_.size);
  scratch own_left, own_result;
  auto* result = out;
  if (!lies_as_elements_do(out, facts_.size)) {
    own_result = pool_->take(bytes);
    result = own_result.data();
  }
  if (left == result || !lies_as_elements_do(left, facts_.size)) {  // MPI overwrites its second operand
    own_left = pool_->take(bytes);
    std::memcpy(own_left.data(), left, bytes);
    left = own_left.data();
  }
  if (result != right) std::memcpy(result, right, bytes);
  in_parts(count, [&](std::int64_t first, int now) {
    const auto at = first * facts_.size;
    check_mpi(PMPI_Reduce_local(left + at, result + at, now, type_, op_), "MPI_Reduce_local");
  });
  if (result != out) std::memcpy(out, result, bytes);
}

/// Unpacks the elements first, because the operation expects the layout of the user's memory.
void reducer::combine_unpacked(std::byte* out, const std::byte* left, const std::byte* right, int count) const {
  const typed_memory first(*pool_, type_, count), second(*pool_, type_, count);
  unpack(left, first.data(), count, type_, facts_.size);
  unpack(right, second.data(), count, type_, facts_.size);
  check_mpi(PMPI_Reduce_local(first.data(), second.data(), count, type_, op_), "MPI_Reduce_local");
  pack(second.data(), out, count, type_, facts_.size);
}

}  // namespace wherry::collective
