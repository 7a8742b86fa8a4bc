// What a call refers to besides its buffers. A program may free datatypes and operations as soon as a call that uses
// them has begun (MPI-4.1, sections 5.1.9 and 6.9.5), and many change or free their lists of counts then.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "wherry/collective/call.hpp"

#include "operations_in_use.hpp"

namespace wherry::collective {

struct communicator_state;

/// For whom a call's lists are: all ranks, or the neighbours of this one.
struct list_readers {
  int rank = 0, size = 1;
  /// Ranks, or MPI_PROC_NULL; null where the communicator has no topology.
  const std::vector<int>*destinations = nullptr, *sources = nullptr;

  static list_readers of(const communicator_state& on);
};

/// A call's lists are copied, its datatypes and its operation kept alive, for as long as this lives.
class kept_arguments {
 public:
  kept_arguments() = default;
  kept_arguments(const kept_arguments&) = delete;
  kept_arguments& operator=(const kept_arguments&) = delete;
  ~kept_arguments();

  enum class life : bool { one_call, many_calls };

  /// The same call, which refers to nothing of the caller's but its buffers. Local, once. The operation of one call is
  /// given the caller's datatype, whose handle it may know; of many, a duplicate, since Open MPI answers no questions
  /// about a freed datatype.
  call keep(const call& what, const list_readers& who, life how_long);
  /// The same for many calls, where nothing of ours is known of the communicator yet.
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
