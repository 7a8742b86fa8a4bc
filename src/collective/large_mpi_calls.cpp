#include "large_mpi_calls.hpp"

#include <cstdint>
#include <limits>

namespace wherry::collective {
namespace {

bool has_large_lists(const call& c) { return c.send_counts.is_large() || c.receive_counts.is_large(); }

}  // namespace

#if MPI_VERSION >= 4

namespace {

bool has_lists_of_ints(const call& c) { return c.send_counts.ints() != nullptr || c.receive_counts.ints() != nullptr; }
bool is_beyond_int(std::int64_t count) { return count > std::numeric_limits<int>::max(); }

struct large_lists {
  explicit large_lists(const call& c)
      : sent(c.send_counts.large()),
        received(c.receive_counts.large()),
        from(c.send_displacements.large()),
        to(c.receive_displacements.large()) {}
  const MPI_Count *sent, *received;
  const MPI_Aint *from, *to;
};

}  // namespace

bool has_large_counts(const call& c) {
  return has_large_lists(c) ||
         (!has_lists_of_ints(c) && (is_beyond_int(c.send_count) || is_beyond_int(c.receive_count)));
}

int call_mpi_with_large_counts(const call& c, MPI_Comm comm) {
  const auto [sent, received, from, to] = large_lists(c);
  switch (c.kind) {
    case kind::bcast:
      return PMPI_Bcast_c(c.receive, c.receive_count, c.receive_type, c.root, comm);
    case kind::gather:
      return PMPI_Gather_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, c.root, comm);
    case kind::scatter:
      return PMPI_Scatter_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, c.root,
                            comm);
    case kind::reduce:
      return PMPI_Reduce_c(c.send, c.receive, c.send_count, c.send_type, c.op, c.root, comm);
    case kind::allgather:
      return PMPI_Allgather_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, comm);
    case kind::allreduce:
      return PMPI_Allreduce_c(c.send, c.receive, c.send_count, c.send_type, c.op, comm);
    case kind::reduce_scatter_block:
      return PMPI_Reduce_scatter_block_c(c.send, c.receive, c.receive_count, c.send_type, c.op, comm);
    case kind::scan:
      return PMPI_Scan_c(c.send, c.receive, c.send_count, c.send_type, c.op, comm);
    case kind::exscan:
      return PMPI_Exscan_c(c.send, c.receive, c.send_count, c.send_type, c.op, comm);
    case kind::alltoall:
      return PMPI_Alltoall_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, comm);
    case kind::neighbor_allgather:
      return PMPI_Neighbor_allgather_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type,
                                       comm);
    case kind::neighbor_alltoall:
      return PMPI_Neighbor_alltoall_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type,
                                      comm);
    case kind::gatherv:
      return PMPI_Gatherv_c(c.send, c.send_count, c.send_type, c.receive, received, to, c.receive_type, c.root, comm);
    case kind::scatterv:
      return PMPI_Scatterv_c(c.send, sent, from, c.send_type, c.receive, c.receive_count, c.receive_type, c.root, comm);
    case kind::allgatherv:
      return PMPI_Allgatherv_c(c.send, c.send_count, c.send_type, c.receive, received, to, c.receive_type, comm);
    case kind::reduce_scatter:
      return PMPI_Reduce_scatter_c(c.send, c.receive, received, c.send_type, c.op, comm);
    case kind::alltoallv:
      return PMPI_Alltoallv_c(c.send, sent, from, c.send_type, c.receive, received, to, c.receive_type, comm);
    case kind::alltoallw:
      return PMPI_Alltoallw_c(c.send, sent, from, c.send_types, c.receive, received, to, c.receive_types, comm);
    case kind::neighbor_allgatherv:
      return PMPI_Neighbor_allgatherv_c(c.send, c.send_count, c.send_type, c.receive, received, to, c.receive_type,
                                        comm);
    case kind::neighbor_alltoallv:
      return PMPI_Neighbor_alltoallv_c(c.send, sent, from, c.send_type, c.receive, received, to, c.receive_type, comm);
    case kind::neighbor_alltoallw:
      return PMPI_Neighbor_alltoallw_c(c.send, sent, c.send_addresses, c.send_types, c.receive, received,
                                       c.receive_addresses, c.receive_types, comm);
    default:
      return MPI_ERR_OTHER;
  }
}

int begin_mpi_with_large_counts(const call& c, MPI_Comm comm, MPI_Request& request) {
  const auto [sent, received, from, to] = large_lists(c);
  switch (c.kind) {
    case kind::bcast:
      return PMPI_Ibcast_c(c.receive, c.receive_count, c.receive_type, c.root, comm, &request);
    case kind::gather:
      return PMPI_Igather_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, c.root, comm,
                            &request);
    case kind::scatter:
      return PMPI_Iscatter_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, c.root,
                             comm, &request);
    case kind::reduce:
      return PMPI_Ireduce_c(c.send, c.receive, c.send_count, c.send_type, c.op, c.root, comm, &request);
    case kind::allgather:
      return PMPI_Iallgather_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, comm,
                               &request);
    case kind::allreduce:
      return PMPI_Iallreduce_c(c.send, c.receive, c.send_count, c.send_type, c.op, comm, &request);
    case kind::reduce_scatter_block:
      return PMPI_Ireduce_scatter_block_c(c.send, c.receive, c.receive_count, c.send_type, c.op, comm, &request);
    case kind::scan:
      return PMPI_Iscan_c(c.send, c.receive, c.send_count, c.send_type, c.op, comm, &request);
    case kind::exscan:
      return PMPI_Iexscan_c(c.send, c.receive, c.send_count, c.send_type, c.op, comm, &request);
    case kind::alltoall:
      return PMPI_Ialltoall_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type, comm,
                              &request);
    case kind::neighbor_allgather:
      return PMPI_Ineighbor_allgather_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type,
                                        comm, &request);
    case kind::neighbor_alltoall:
      return PMPI_Ineighbor_alltoall_c(c.send, c.send_count, c.send_type, c.receive, c.receive_count, c.receive_type,
                                       comm, &request);
    case kind::gatherv:
      return PMPI_Igatherv_c(c.send, c.send_count, c.send_type, c.receive, received, to, c.receive_type, c.root, comm,
                             &request);
    case kind::scatterv:
      return PMPI_Iscatterv_c(c.send, sent, from, c.send_type, c.receive, c.receive_count, c.receive_type, c.root, comm,
                              &request);
    case kind::allgatherv:
      return PMPI_Iallgatherv_c(c.send, c.send_count, c.send_type, c.receive, received, to, c.receive_type, comm,
                                &request);
    case kind::reduce_scatter:
      return PMPI_Ireduce_scatter_c(c.send, c.receive, received, c.send_type, c.op, comm, &request);
    case kind::alltoallv:
      return PMPI_Ialltoallv_c(c.send, sent, from, c.send_type, c.receive, received, to, c.receive_type, comm,
                               &request);
    case kind::alltoallw:
      return PMPI_Ialltoallw_c(c.send, sent, from, c.send_types, c.receive, received, to, c.receive_types, comm,
                               &request);
    case kind::neighbor_allgatherv:
      return PMPI_Ineighbor_allgatherv_c(c.send, c.send_count, c.send_type, c.receive, received, to, c.receive_type,
                                         comm, &request);
    case kind::neighbor_alltoallv:
      return PMPI_Ineighbor_alltoallv_c(c.send, sent, from, c.send_type, c.receive, received, to, c.receive_type, comm,
                                        &request);
    case kind::neighbor_alltoallw:
      return PMPI_Ineighbor_alltoallw_c(c.send, sent, c.send_addresses, c.send_types, c.receive, received,
                                        c.receive_addresses, c.receive_types, comm, &request);
    default:
      return MPI_ERR_OTHER;
  }
}

#else

bool has_large_counts(const call& c) { return has_large_lists(c); }
int call_mpi_with_large_counts(const call&, MPI_Comm) { return MPI_ERR_OTHER; }
int begin_mpi_with_large_counts(const call&, MPI_Comm, MPI_Request&) { return MPI_ERR_OTHER; }

#endif

}  // namespace wherry::collective
