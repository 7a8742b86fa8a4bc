#include "mpi_implementations.hpp"

#include <cstddef>

#include "wherry/core/mpi.hpp"

#include "mpi_calls.hpp"
#include "selection.hpp"

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

/// Open MPI 4.1 mixes blocks up where MPI_Ialltoallv and MPI_Ialltoallw are in place among four ranks or more: they get
/// a copy of what is there.
call without_place(const call& users, communicator_state& on, scratch& copy) {
  if (users.send != MPI_IN_PLACE || (users.kind != kind::alltoallv && users.kind != kind::alltoallw)) return users;
  call apart = users;
  apart.send = users.receive;
  apart.send_counts = users.receive_counts;
  apart.send_displacements = users.receive_displacements;
  apart.send_type = users.receive_type;
  apart.send_types = users.receive_types;
  apart = with_copy_of_input(apart, on, copy);
  static constexpr std::byte nothing{};
  if (copy.data() == nullptr) apart.send = &nothing;  // MPICH refuses one buffer for both, also where nothing is sent
  return apart;
}

}  // namespace

task start_nonblocking(const implementation&, invocation& under_way) {
  scratch copy;
  const auto what = without_place(under_way.users, under_way.on, copy);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(begin_mpi(what, what.comm, request), name_of(what.kind));
  co_await until(is_complete{request});
}

}  // namespace wherry::collective
