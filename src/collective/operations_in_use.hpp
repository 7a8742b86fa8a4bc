// Keeps operations alive. MPI cannot duplicate an operation, and nothing in MPI keeps one alive: an operation that the
// program frees while calls use it is freed when the last of these calls has ended.
#pragma once

#include <mpi.h>

#include <utility>

namespace wherry::collective {

/// One use of an operation. Predefined operations need none.
class operation_in_use {
 public:
  operation_in_use() = default;
  explicit operation_in_use(MPI_Op op);
  operation_in_use(operation_in_use&& other) noexcept : op_(std::exchange(other.op_, MPI_OP_NULL)) {}
  operation_in_use& operator=(operation_in_use&& other) noexcept {
    std::swap(op_, other.op_);
    return *this;
  }
  ~operation_in_use();

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace wherry::collective
