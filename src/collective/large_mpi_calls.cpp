#include "large_mpi_calls.hpp"

#include <cstdint>
#include <limits>

#include "mpi_function.hpp"

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

int call_with_large_counts(const call& c, MPI_Comm comm, MPI_Request* request) {
  const mpi_function make{request};
  const auto [sent, received, from, to] = large_lists(c);
  switch (c.kind) {
    case kind::bcast:
      return make(PMPI_Bcast_c, PMPI_Ibcast_c, c.receive, c.receive_count, c.receive_type, c.root, comm);
    case kind::gather:
      return make(PMPI_Gather_c, PMPI_Igather_c, c.send, c.send_count, c.send_type, c.receive, c.receive_count,
                  c.receive_type, c.root, comm);
    case kind::scatter:
      return make(PMPI_Scatter_c, PMPI_Iscatter_c, c.send, c.send_count, c.send_type, c.receive, c.receive_count,
                  c.receive_type, c.root, comm);
    case kind::reduce:
      return make(PMPI_Reduce_c, PMPI_Ireduce_c, c.send, c.receive, c.send_count, c.send_type, c.op, c.root, comm);
    case kind::allgather:
      return make(PMPI_Allgather_c, PMPI_Iallgather_c, c.send, c.send_count, c.send_type, c.receive, c.receive_count,
                  c.receive_type, comm);
    case kind::allreduce:
      return make(PMPI_Allreduce_c, PMPI_Iallreduce_c, c.send, c.receive, c.send_count, c.send_type, c.op, comm);
    case kind::reduce_scatter_block:
      return make(PMPI_Reduce_scatter_block_c, PMPI_Ireduce_scatter_block_c, c.send, c.receive, c.receive_count,
                  c.send_type, c.op, comm);
    case kind::scan:
      return make(PMPI_Scan_c, PMPI_Iscan_c, c.send, c.receive, c.send_count, c.send_type, c.op, comm);
    case kind::exscan:
      return make(PMPI_Exscan_c, PMPI_Iexscan_c, c.send, c.receive, c.send_count, c.send_type, c.op, comm);
    case kind::alltoall:
      return make(PMPI_Alltoall_c, PMPI_Ialltoall_c, c.send, c.send_count, c.send_type, c.receive, c.receive_count,
                  c.receive_type, comm);
    case kind::neighbor_allgather:
      return make(PMPI_Neighbor_allgather_c, PMPI_Ineighbor_allgather_c, c.send, c.send_count, c.send_type, c.receive,
                  c.receive_count, c.receive_type, comm);
    case kind::neighbor_alltoall:
      return make(PMPI_Neighbor_alltoall_c, PMPI_Ineighbor_alltoall_c, c.send, c.send_count, c.send_type, c.receive,
                  c.receive_count, c.receive_type, comm);
    case kind::gatherv:
      return make(PMPI_Gatherv_c, PMPI_Igatherv_c, c.send, c.send_count, c.send_type, c.receive, received, to,
                  c.receive_type, c.root, comm);
    case kind::scatterv:
      return make(PMPI_Scatterv_c, PMPI_Iscatterv_c, c.send, sent, from, c.send_type, c.receive, c.receive_count,
                  c.receive_type, c.root, comm);
    case kind::allgatherv:
      return make(PMPI_Allgatherv_c, PMPI_Iallgatherv_c, c.send, c.send_count, c.send_type, c.receive, received, to,
                  c.receive_type, comm);
    case kind::reduce_scatter:
      return make(PMPI_Reduce_scatter_c, PMPI_Ireduce_scatter_c, c.send, c.receive, received, c.send_type, c.op, comm);
    case kind::alltoallv:
      return make(PMPI_Alltoallv_c, PMPI_Ialltoallv_c, c.send, sent, from, c.send_type, c.receive, received, to,
                  c.receive_type, comm);
    case kind::alltoallw:
      return make(PMPI_Alltoallw_c, PMPI_Ialltoallw_c, c.send, sent, from, c.send_types, c.receive, received, to,
                  c.receive_types, comm);
    case kind::neighbor_allgatherv:
      return make(PMPI_Neighbor_allgatherv_c, PMPI_Ineighbor_allgatherv_c, c.send, c.send_count, c.send_type, c.receive,
                  received, to, c.receive_type, comm);
    case kind::neighbor_alltoallv:
      return make(PMPI_Neighbor_alltoallv_c, PMPI_Ineighbor_alltoallv_c, c.send, sent, from, c.send_type, c.receive,
                  received, to, c.receive_type, comm);
    case kind::neighbor_alltoallw:
      return make(PMPI_Neighbor_alltoallw_c, PMPI_Ineighbor_alltoallw_c, c.send, sent, c.send_addresses, c.send_types,
                  c.receive, received, c.receive_addresses, c.receive_types, comm);
    default:
      return MPI_ERR_OTHER;
  }
}

#else

bool has_large_counts(const call& c) { return has_large_lists(c); }
int call_with_large_counts(const call&, MPI_Comm, MPI_Request*) { return MPI_ERR_OTHER; }

#endif

}  // namespace wherry::collective
