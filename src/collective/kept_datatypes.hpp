// A program may free a datatype as soon as the call that uses it has begun (MPI-4.1, section 5.1.9).
#pragma once

#include <mpi.h>

#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

/// A call's derived datatypes, kept alive.
class kept_datatypes {
 public:
  kept_datatypes() = default;
  kept_datatypes(const kept_datatypes&) = delete;
  kept_datatypes& operator=(const kept_datatypes&) = delete;
  ~kept_datatypes();

  /// The same call with duplicates of them, which go with this. Reductions stay as they are: MPI knows no duplicate of
  /// an operation, and an operation may know its datatype.
  call with_own(const call& what);

 private:
  MPI_Datatype own(MPI_Datatype type);
  const MPI_Datatype* own(const MPI_Datatype* list, const count_list& counts, int size, const std::vector<int>* ranks,
                          std::vector<MPI_Datatype>& copy);

  std::vector<MPI_Datatype> duplicates_, send_list_, receive_list_;
};

}  // namespace wherry::collective
