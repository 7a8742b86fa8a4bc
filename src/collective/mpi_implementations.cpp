#include "mpi_implementations.hpp"

#include "wherry/core/mpi.hpp"

#include "mpi_calls.hpp"

namespace wherry::collective {
namespace {

struct is_complete {
  MPI_Request& request;
  bool operator()() const {
    int done = 0;
    check_mpi(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }
};

}  // namespace

task start_nonblocking(invocation& call) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(begin_mpi(call.users, call.users.comm, request), name_of(call.users.kind));
  co_await until(is_complete{request});
}

task start_mpi(invocation& call) { return start_nonblocking(call); }

}  // namespace wherry::collective
