#include "mpi_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

#include "wherry/core/error.hpp"

#include "dense_call.hpp"
#include "large_mpi_calls.hpp"
#include "neighborhood.hpp"

namespace wherry::collective {
namespace {

int as_int(const call& c, std::int64_t count, const char* argument) {
  if (count > std::numeric_limits<int>::max())
    throw error(error_kind::argument, std::string(name_of(c.kind)),
                std::string("'") + argument + "' is beyond an int, which is all that this MPI takes");
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

int call_as_it_is(const call& c, MPI_Comm comm) {
  if (has_large_counts(c)) return call_mpi_with_large_counts(c, comm);
  switch (c.kind) {
    case kind::barrier:
      return PMPI_Barrier(comm);
    case kind::bcast:
      return PMPI_Bcast(c.receive, receive_count(c), c.receive_type, c.root, comm);
    case kind::gather:
      return PMPI_Gather(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, c.root, comm);
    case kind::gatherv:
      return PMPI_Gatherv(c.send, send_count(c), c.send_type, c.receive, c.receive_counts.ints(),
                          c.receive_displacements.ints(), c.receive_type, c.root, comm);
    case kind::scatter:
      return PMPI_Scatter(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, c.root,
                          comm);
    case kind::scatterv:
      return PMPI_Scatterv(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type, c.receive,
                           receive_count(c), c.receive_type, c.root, comm);
    case kind::reduce:
      return PMPI_Reduce(c.send, c.receive, send_count(c), c.send_type, c.op, c.root, comm);
    case kind::allgather:
      return PMPI_Allgather(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, comm);
    case kind::allgatherv:
      return PMPI_Allgatherv(c.send, send_count(c), c.send_type, c.receive, c.receive_counts.ints(),
                             c.receive_displacements.ints(), c.receive_type, comm);
    case kind::allreduce:
      return PMPI_Allreduce(c.send, c.receive, send_count(c), c.send_type, c.op, comm);
    case kind::reduce_scatter:
      return PMPI_Reduce_scatter(c.send, c.receive, c.receive_counts.ints(), c.send_type, c.op, comm);
    case kind::reduce_scatter_block:
      return PMPI_Reduce_scatter_block(c.send, c.receive, receive_count(c), c.send_type, c.op, comm);
    case kind::scan:
      return PMPI_Scan(c.send, c.receive, send_count(c), c.send_type, c.op, comm);
    case kind::exscan:
      return PMPI_Exscan(c.send, c.receive, send_count(c), c.send_type, c.op, comm);
    case kind::alltoall:
      return PMPI_Alltoall(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, comm);
    case kind::alltoallv:
      return PMPI_Alltoallv(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type, c.receive,
                            c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type, comm);
    case kind::alltoallw:
      return PMPI_Alltoallw(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_types, c.receive,
                            c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_types, comm);
    case kind::neighbor_allgather:
      return PMPI_Neighbor_allgather(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type,
                                     comm);
    case kind::neighbor_allgatherv:
      return PMPI_Neighbor_allgatherv(c.send, send_count(c), c.send_type, c.receive, c.receive_counts.ints(),
                                      c.receive_displacements.ints(), c.receive_type, comm);
    case kind::neighbor_alltoall:
      return PMPI_Neighbor_alltoall(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type,
                                    comm);
    case kind::neighbor_alltoallv:
      return PMPI_Neighbor_alltoallv(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type, c.receive,
                                     c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type, comm);
    case kind::neighbor_alltoallw:
      return PMPI_Neighbor_alltoallw(c.send, c.send_counts.ints(), c.send_addresses, c.send_types, c.receive,
                                     c.receive_counts.ints(), c.receive_addresses, c.receive_types, comm);
  }
  return MPI_ERR_OTHER;
}

int begin_as_it_is(const call& c, MPI_Comm comm, MPI_Request& request) {
  if (has_large_counts(c)) return begin_mpi_with_large_counts(c, comm, request);
  switch (c.kind) {
    case kind::barrier:
      return PMPI_Ibarrier(comm, &request);
    case kind::bcast:
      return PMPI_Ibcast(c.receive, receive_count(c), c.receive_type, c.root, comm, &request);
    case kind::gather:
      return PMPI_Igather(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, c.root, comm,
                          &request);
    case kind::gatherv:
      return PMPI_Igatherv(c.send, send_count(c), c.send_type, c.receive, c.receive_counts.ints(),
                           c.receive_displacements.ints(), c.receive_type, c.root, comm, &request);
    case kind::scatter:
      return PMPI_Iscatter(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, c.root,
                           comm, &request);
    case kind::scatterv:
      return PMPI_Iscatterv(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type, c.receive,
                            receive_count(c), c.receive_type, c.root, comm, &request);
    case kind::reduce:
      return PMPI_Ireduce(c.send, c.receive, send_count(c), c.send_type, c.op, c.root, comm, &request);
    case kind::allgather:
      return PMPI_Iallgather(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, comm,
                             &request);
    case kind::allgatherv:
      return PMPI_Iallgatherv(c.send, send_count(c), c.send_type, c.receive, c.receive_counts.ints(),
                              c.receive_displacements.ints(), c.receive_type, comm, &request);
    case kind::allreduce:
      return PMPI_Iallreduce(c.send, c.receive, send_count(c), c.send_type, c.op, comm, &request);
    case kind::reduce_scatter:
      return PMPI_Ireduce_scatter(c.send, c.receive, c.receive_counts.ints(), c.send_type, c.op, comm, &request);
    case kind::reduce_scatter_block:
      return PMPI_Ireduce_scatter_block(c.send, c.receive, receive_count(c), c.send_type, c.op, comm, &request);
    case kind::scan:
      return PMPI_Iscan(c.send, c.receive, send_count(c), c.send_type, c.op, comm, &request);
    case kind::exscan:
      return PMPI_Iexscan(c.send, c.receive, send_count(c), c.send_type, c.op, comm, &request);
    case kind::alltoall:
      return PMPI_Ialltoall(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type, comm,
                            &request);
    case kind::alltoallv:
      return PMPI_Ialltoallv(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type, c.receive,
                             c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type, comm, &request);
    case kind::alltoallw:
      return PMPI_Ialltoallw(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_types, c.receive,
                             c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_types, comm, &request);
    case kind::neighbor_allgather:
      return PMPI_Ineighbor_allgather(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type,
                                      comm, &request);
    case kind::neighbor_allgatherv:
      return PMPI_Ineighbor_allgatherv(c.send, send_count(c), c.send_type, c.receive, c.receive_counts.ints(),
                                       c.receive_displacements.ints(), c.receive_type, comm, &request);
    case kind::neighbor_alltoall:
      return PMPI_Ineighbor_alltoall(c.send, send_count(c), c.send_type, c.receive, receive_count(c), c.receive_type,
                                     comm, &request);
    case kind::neighbor_alltoallv:
      return PMPI_Ineighbor_alltoallv(c.send, c.send_counts.ints(), c.send_displacements.ints(), c.send_type, c.receive,
                                      c.receive_counts.ints(), c.receive_displacements.ints(), c.receive_type, comm,
                                      &request);
    case kind::neighbor_alltoallw:
      return PMPI_Ineighbor_alltoallw(c.send, c.send_counts.ints(), c.send_addresses, c.send_types, c.receive,
                                      c.receive_counts.ints(), c.receive_addresses, c.receive_types, comm, &request);
  }
  return MPI_ERR_OTHER;
}

}  // namespace

void check_mpi_counts(const call& c) {
  if (has_large_counts(c)) return;
  send_count(c);
  receive_count(c);
}

int call_mpi(const call& c, MPI_Comm comm) {
  return lacks_an_address(c) ? call_as_it_is(with_addresses(c, comm), comm) : call_as_it_is(c, comm);
}

int begin_mpi(const call& c, MPI_Comm comm, MPI_Request& request) {
  return lacks_an_address(c) ? begin_as_it_is(with_addresses(c, comm), comm, request)
                             : begin_as_it_is(c, comm, request);
}

}  // namespace wherry::collective
