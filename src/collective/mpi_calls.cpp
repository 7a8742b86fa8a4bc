#include "mpi_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "wherry/core/error.hpp"

#include "dense_call.hpp"
#include "large_mpi_calls.hpp"
#include "mpi_function.hpp"
#include "neighborhood.hpp"

namespace wherry::collective {
namespace {

int as_int(const call& c, std::int64_t count, const char* argument) {
  if (count > std::numeric_limits<int>::max())
    throw error(error_kind::argument, std::string(name_of(c.kind)),
                std::string("'") + argument + "' does not fit an int, and this MPI takes no larger number");
  return static_cast<int>(count);
}
int send_count(const call& c) { return as_int(c, c.send_count, "send_count"); }
int receive_count(const call& c) { return as_int(c, c.receive_count, "receive_count"); }

bool lacks_an_address(const call& c) { return is_of_neighbors(c.kind) && (c.send == nullptr || c.receive == nullptr); }

/// MPICH refuses a null buffer with a count that is not 0, even on a rank without neighbours to send to, or to receive
/// from.
call with_addresses(call c, MPI_Comm comm) {
  static std::byte nothing_sent{}, nothing_received{};
  const auto found = count_neighbors(comm);
  if (c.send == nullptr && found.destinations == 0) c.send = &nothing_sent;
  if (c.receive == nullptr && found.sources == 0) c.receive = &nothing_received;
  return c;
}

/// Calls the MPI function for a call with counts that are ints.
int call_with_ints(const call& c, MPI_Comm comm, MPI_Request* request) {
  const mpi_function make{request};
  switch (c.kind) {
    case kind::barrier:
      return make(PMPI_Barrier, PMPI_Ibarrier, comm);
    case kind::bcast:
      return make(PMPI_Bcast, PMPI_Ibcast, c.receive, receive_count(c), c.receive_type, c.root, comm);
    case kind::gather:
      return make(PMPI_Gather, PMPI_Igather, c.send, send_count(c), c.send_type, c.receive, receive_count(c),
                  c.receive_type, c.root, comm);
    case kind::gatherv:
      return make(PMPI_Gatherv, PMPI_Igatherv, c.send, send_count(c), c.send_type, c.receive, c.receive_counts.ints(),
                  c.receive_displacements.ints(), c.receive_type, c.root, comm);
    case kind::scatter:
      return make(PMPI_Scatter, PMPI_Iscatter, c.send, send_count(c), c.send_type, c.receive, receive_count(c),
                  c.receive_type, c.root, comm);
    case kind::scatterv:
      return make(PMPI_Scatterv, PMPI_Iscatterv, c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type,
                  c.receive, receive_count(c), c.receive_type, c.root, comm);
    case kind::reduce:
      return make(PMPI_Reduce, PMPI_Ireduce, c.send, c.receive, send_count(c), c.send_type, c.op, c.root, comm);
    case kind::allgather:
      return make(PMPI_Allgather, PMPI_Iallgather, c.send, send_count(c), c.send_type, c.receive, receive_count(c),
                  c.receive_type, comm);
    case kind::allgatherv:
      return make(PMPI_Allgatherv, PMPI_Iallgatherv, c.send, send_count(c), c.send_type, c.receive,
                  c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type, comm);
    case kind::allreduce:
      return make(PMPI_Allreduce, PMPI_Iallreduce, c.send, c.receive, send_count(c), c.send_type, c.op, comm);
    case kind::reduce_scatter:
      return make(PMPI_Reduce_scatter, PMPI_Ireduce_scatter, c.send, c.receive, c.receive_counts.ints(), c.send_type,
                  c.op, comm);
    case kind::reduce_scatter_block:
      return make(PMPI_Reduce_scatter_block, PMPI_Ireduce_scatter_block, c.send, c.receive, receive_count(c),
                  c.send_type, c.op, comm);
    case kind::scan:
      return make(PMPI_Scan, PMPI_Iscan, c.send, c.receive, send_count(c), c.send_type, c.op, comm);
    case kind::exscan:
      return make(PMPI_Exscan, PMPI_Iexscan, c.send, c.receive, send_count(c), c.send_type, c.op, comm);
    case kind::alltoall:
      return make(PMPI_Alltoall, PMPI_Ialltoall, c.send, send_count(c), c.send_type, c.receive, receive_count(c),
                  c.receive_type, comm);
    case kind::alltoallv:
      return make(PMPI_Alltoallv, PMPI_Ialltoallv, c.send, c.send_counts.ints(), c.send_displacements.ints(),
                  c.send_type, c.receive, c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type,
                  comm);
    case kind::alltoallw:
      return make(PMPI_Alltoallw, PMPI_Ialltoallw, c.send, c.send_counts.ints(), c.send_displacements.ints(),
                  c.send_types, c.receive, c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_types,
                  comm);
    case kind::neighbor_allgather:
      return make(PMPI_Neighbor_allgather, PMPI_Ineighbor_allgather, c.send, send_count(c), c.send_type, c.receive,
                  receive_count(c), c.receive_type, comm);
    case kind::neighbor_allgatherv:
      return make(PMPI_Neighbor_allgatherv, PMPI_Ineighbor_allgatherv, c.send, send_count(c), c.send_type, c.receive,
                  c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type, comm);
    case kind::neighbor_alltoall:
      return make(PMPI_Neighbor_alltoall, PMPI_Ineighbor_alltoall, c.send, send_count(c), c.send_type, c.receive,
                  receive_count(c), c.receive_type, comm);
    case kind::neighbor_alltoallv:
      return make(PMPI_Neighbor_alltoallv, PMPI_Ineighbor_alltoallv, c.send, c.send_counts.ints(),
                  c.send_displacements.ints(), c.send_type, c.receive, c.receive_counts.ints(),
                  c.receive_displacements.ints(), c.receive_type, comm);
    case kind::neighbor_alltoallw:
      return make(PMPI_Neighbor_alltoallw, PMPI_Ineighbor_alltoallw, c.send, c.send_counts.ints(), c.send_addresses,
                  c.send_types, c.receive, c.receive_counts.ints(), c.receive_addresses, c.receive_types, comm);
  }
  return MPI_ERR_OTHER;
}

int call_or_begin(const call& c, MPI_Comm comm, MPI_Request* request) {
  return has_large_counts(c) ? call_with_large_counts(c, comm, request) : call_with_ints(c, comm, request);
}

int call_with_addresses(const call& c, MPI_Comm comm, MPI_Request* request) {
  return lacks_an_address(c) ? call_or_begin(with_addresses(c, comm), comm, request) : call_or_begin(c, comm, request);
}

}  // namespace

void check_mpi_counts(const call& c) {
  if (has_large_counts(c)) return;
  send_count(c);
  receive_count(c);
}

int call_mpi(const call& c, MPI_Comm comm) { return call_with_addresses(c, comm, nullptr); }
int begin_mpi(const call& c, MPI_Comm comm, MPI_Request& request) { return call_with_addresses(c, comm, &request); }

}  // namespace wherry::collective
