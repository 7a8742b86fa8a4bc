#include "operations_in_use.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "wherry/collective/requests.hpp"
#include "wherry/core/mpi.hpp"

#include "predefined_operations.hpp"

namespace wherry::collective {
namespace {

struct used_operation {
  MPI_Op op;
  int uses;
  bool is_freed;  // by the program
};

struct table {
  std::mutex guard;
  std::vector<used_operation> list;

  auto find(MPI_Op op) {
    return std::find_if(list.begin(), list.end(), [op](const auto& one) { return one.op == op; });
  }
};

/// Never destroyed, because operations in flight at the end of the program may end later.
table& in_use() {
  static auto* const all = new table;
  return *all;
}

}  // namespace

operation_in_use::operation_in_use(MPI_Op op) {
  if (op == MPI_OP_NULL || place_of(op) != users_operation) return;
  auto& all = in_use();
  const std::lock_guard lock(all.guard);
  if (const auto known = all.find(op); known != all.list.end())
    ++known->uses;
  else
    all.list.push_back({op, 1, false});
  op_ = op;
}

operation_in_use::~operation_in_use() {
  if (op_ == MPI_OP_NULL) return;
  auto& all = in_use();
  bool is_last = false;
  {
    const std::lock_guard lock(all.guard);
    const auto known = all.find(op_);
    if (--known->uses > 0) return;
    is_last = known->is_freed;
    all.list.erase(known);
  }
  if (is_last && wherry::detail::mpi_is_running()) PMPI_Op_free(&op_);
}

bool detail::free_when_unused(MPI_Op& op) {
  auto& all = in_use();
  const std::lock_guard lock(all.guard);
  const auto known = all.find(op);
  if (known == all.list.end()) return false;
  known->is_freed = true;
  op = MPI_OP_NULL;
  return true;
}

}  // namespace wherry::collective
