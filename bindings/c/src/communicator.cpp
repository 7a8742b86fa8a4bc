#include "wherry/c/communicator.h"

#include <map>
#include <memory>
#include <mutex>

#include "wherry/core/node_memory.hpp"

#include "objects.hpp"

namespace wherry_c {
namespace {

wherry::communicator& comm_of(wherry_communicator comm, std::string_view where) {
  return object_of<wherry::communicator>(comm, where, "comm");
}

/// The memory that `wherry_allocate` has given out, by address.
struct allocations {
  std::mutex guard;
  std::map<void*, wherry::node_memory> given;
};
allocations& all_allocations() {
  static auto* const one = new allocations;  // a program may free memory from its own static objects
  return *one;
}

}  // namespace
}  // namespace wherry_c

using namespace wherry_c;

extern "C" {

wherry_status wherry_communicator_create(MPI_Comm users, wherry_communicator* result) {
  constexpr auto where = "wherry_communicator_create";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    return std::make_shared<wherry::communicator>(users);
  });
}
wherry_status wherry_communicator_create_from_fortran(MPI_Fint users, wherry_communicator* result) {
  constexpr auto where = "wherry_communicator_create_from_fortran";
  return creating(result, where, [&] {
    require_result(result, where, "result");
    wherry::detail::require_mpi(where, -1);
    return std::make_shared<wherry::communicator>(PMPI_Comm_f2c(users));
  });
}
wherry_status wherry_communicator_free(wherry_communicator* comm) {
  constexpr auto where = "wherry_communicator_free";
  return guarded(where, [&] { free_handle<wherry::communicator>(comm, where, "comm"); });
}

wherry_status wherry_communicator_rank(wherry_communicator comm, int* rank, int* size) {
  constexpr auto where = "wherry_communicator_rank";
  return guarded(where, [&] {
    const auto& ours = comm_of(comm, where);
    if (rank != nullptr) *rank = ours.rank();
    if (size != nullptr) *size = ours.size();
  });
}
wherry_status wherry_communicator_node(wherry_communicator comm, const int** ranks, int* count) {
  constexpr auto where = "wherry_communicator_node";
  return guarded(where, [&] {
    const auto& node = comm_of(comm, where).node_ranks();
    require_result(ranks, where, "ranks");
    require_result(count, where, "count");
    *ranks = node.data();
    *count = static_cast<int>(node.size());
  });
}

wherry_status wherry_allocate(wherry_communicator comm, size_t bytes, void** memory) {
  constexpr auto where = "wherry_allocate";
  return guarded(where, [&] {
    require_result(memory, where, "memory");
    *memory = nullptr;
    wherry::node_memory made(comm_of(comm, where), bytes > 0 ? bytes : 1);
    auto& all = all_allocations();
    const std::lock_guard lock(all.guard);
    all.given.emplace(made.data(), made);
    *memory = made.data();
  });
}
wherry_status wherry_free(void** memory) {
  constexpr auto where = "wherry_free";
  return guarded(where, [&] {
    require_result(memory, where, "memory");
    if (*memory == nullptr) return;
    auto& all = all_allocations();
    wherry::node_memory last;
    const std::lock_guard lock(all.guard);
    const auto found = all.given.find(*memory);
    if (found == all.given.end())
      throw wherry::error(wherry::error_kind::argument, where, "'memory' is no address that wherry_allocate returned");
    last = found->second;
    all.given.erase(found);
    *memory = nullptr;
  });
}
}
