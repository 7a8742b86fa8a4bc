#include "mpi_implementations.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "wherry/core/mpi.hpp"

#include "mpi_calls.hpp"
#include "protected_input.hpp"

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

/// Open MPI 4.1 mixes up blocks in MPI_Ialltoallv and MPI_Ialltoallw in place among four ranks or more: they get a copy
/// of the data instead.
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
  if (copy.data() == nullptr) apart.send = &nothing;  // MPICH refuses one buffer for both sides even if nothing is sent
  return apart;
}

/// The MPI calls of a remembered call: it has no lists, and its counts are ints.
int as_int(std::int64_t count) { return static_cast<int>(count); }

int barrier(const call& c) { return PMPI_Barrier(c.comm); }
int bcast(const call& c) { return PMPI_Bcast(c.receive, as_int(c.receive_count), c.receive_type, c.root, c.comm); }
int gather(const call& c) {
  return PMPI_Gather(c.send, as_int(c.send_count), c.send_type, c.receive, as_int(c.receive_count), c.receive_type,
                     c.root, c.comm);
}
int scatter(const call& c) {
  return PMPI_Scatter(c.send, as_int(c.send_count), c.send_type, c.receive, as_int(c.receive_count), c.receive_type,
                      c.root, c.comm);
}
int reduce(const call& c) {
  return PMPI_Reduce(c.send, c.receive, as_int(c.send_count), c.send_type, c.op, c.root, c.comm);
}
int allgather(const call& c) {
  return PMPI_Allgather(c.send, as_int(c.send_count), c.send_type, c.receive, as_int(c.receive_count), c.receive_type,
                        c.comm);
}
int allreduce(const call& c) {
  return PMPI_Allreduce(c.send, c.receive, as_int(c.send_count), c.send_type, c.op, c.comm);
}
int alltoall(const call& c) {
  return PMPI_Alltoall(c.send, as_int(c.send_count), c.send_type, c.receive, as_int(c.receive_count), c.receive_type,
                       c.comm);
}
int scan(const call& c) { return PMPI_Scan(c.send, c.receive, as_int(c.send_count), c.send_type, c.op, c.comm); }

template <int (*Call)(const call&)> void run_directly(communicator_state& on, const call& what, const brief_way&) {
  begin_of_mpi(what.kind, on);
  if (const int status = Call(what); status != MPI_SUCCESS) check_mpi(status, name_of(what.kind));
}
int any(const call& c) { return call_mpi(c, c.comm); }

decltype(brief_way::run) way_of(kind what) {
  switch (what) {
    case kind::barrier:
      return run_directly<barrier>;
    case kind::bcast:
      return run_directly<bcast>;
    case kind::gather:
      return run_directly<gather>;
    case kind::scatter:
      return run_directly<scatter>;
    case kind::reduce:
      return run_directly<reduce>;
    case kind::allgather:
      return run_directly<allgather>;
    case kind::allreduce:
      return run_directly<allreduce>;
    case kind::alltoall:
      return run_directly<alltoall>;
    case kind::scan:
      return run_directly<scan>;
    default:
      return run_directly<any>;
  }
}

bool is_int(std::int64_t count) { return count <= std::numeric_limits<int>::max(); }

}  // namespace

brief_way directly_to_mpi(const call& what, const shape_of_call&, const communicator_state& on) {
  if (on.mpi_in_time) return {};
  return {is_int(what.send_count) && is_int(what.receive_count) ? way_of(what.kind) : run_directly<any>};
}

/// Runs in the private duplicate: MPICH keeps a communicator with its attributes until operations in it have ended.
task start_nonblocking(const implementation&, invocation& under_way) {
  scratch copy;
  const auto what = without_place(under_way.users, under_way.on, copy);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(begin_mpi(what, under_way.on.comm.private_handle(), request), name_of(what.kind));
  under_way.of_mpi = &request;
  co_await until(is_complete{request});
  under_way.of_mpi = nullptr;
}

}  // namespace wherry::collective
