// The arguments of a call besides its buffers. A program may free datatypes and operations as soon as a call that uses
// them has begun (MPI-4.1, sections 5.1.9 and 6.9.5), and many programs then also change or free their lists of counts.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "wherry/collective/call.hpp"

#include "operations_in_use.hpp"

namespace wherry::collective {

struct communicator_state;

/// The ranks to which a call's lists refer: all ranks, or this rank's neighbours.
struct list_readers {
  int rank = 0, size = 1;
  /// Ranks or MPI_PROC_NULL; null if the communicator has no topology.
  const std::vector<int>*destinations = nullptr, *sources = nullptr;

  static list_readers of(const communicator_state& on);
};

/// Copies the lists of a call and keeps its datatypes and operation alive, as long as this object lives.
class kept_arguments {
 public:
  kept_arguments() = default;
  kept_arguments(const kept_arguments&) = delete;
  kept_arguments& operator=(const kept_arguments&) = delete;
  ~kept_arguments();

  enum class life : bool { one_call, many_calls };

  /// Returns the same call with references to nothing of the caller's but its buffers. Local; once. For one call the
  /// operation is given the caller's own datatype, because it may compare the handle; for many calls a duplicate,
  /// because Open MPI answers no questions about a freed datatype.
  call keep(const call& what, const list_readers& who, life how_long);
  /// The same for many calls, on a communicator that has not been set up.
  call keep(const call& what);

 private:
  class side;
  std::byte* take(std::size_t bytes);
  void keep_side(const side& of);
  MPI_Datatype retain(MPI_Datatype type);

  std::vector<MPI_Datatype> duplicates_;
  operation_in_use operation_;
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace wherry::collective
