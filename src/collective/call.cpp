#include "wherry/collective/call.hpp"

#include "core/collective_names.hpp"

namespace wherry::collective {
namespace {

static_assert(collective_names.size() == kinds);

call of(kind what, any_communicator comm) {
  call made;
  made.kind = what;
  made.comm = comm;
  return made;
}

}  // namespace

std::string_view name_of(kind what) { return collective_names[static_cast<std::size_t>(what)]; }

std::optional<kind> kind_named(std::string_view name) {
  for (std::size_t i = 0; i < collective_names.size(); ++i)
    if (collective_names[i] == name) return static_cast<kind>(i);
  return std::nullopt;
}

call call::barrier(any_communicator comm) { return of(kind::barrier, comm); }

call call::bcast(void* buffer, std::int64_t count, MPI_Datatype type, int root, any_communicator comm) {
  auto what = of(kind::bcast, comm);
  what.receive = buffer;
  what.receive_count = count;
  what.receive_type = type;
  what.root = root;
  return what;
}

call call::gather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                  std::int64_t receive_count, MPI_Datatype receive_type, int root, any_communicator comm) {
  auto what = of(kind::gather, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_count = receive_count;
  what.receive_type = receive_type;
  what.root = root;
  return what;
}

call call::gatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                   count_list receive_counts, place_list displacements, MPI_Datatype receive_type, int root,
                   any_communicator comm) {
  auto what = of(kind::gatherv, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.receive_displacements = displacements;
  what.receive_type = receive_type;
  what.root = root;
  return what;
}

call call::scatter(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                   std::int64_t receive_count, MPI_Datatype receive_type, int root, any_communicator comm) {
  auto what = of(kind::scatter, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_count = receive_count;
  what.receive_type = receive_type;
  what.root = root;
  return what;
}

call call::scatterv(const void* send, count_list send_counts, place_list displacements, MPI_Datatype send_type,
                    void* receive, std::int64_t receive_count, MPI_Datatype receive_type, int root,
                    any_communicator comm) {
  auto what = of(kind::scatterv, comm);
  what.send = send;
  what.send_counts = send_counts;
  what.send_displacements = displacements;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_count = receive_count;
  what.receive_type = receive_type;
  what.root = root;
  return what;
}

call call::reduce(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op, int root,
                  any_communicator comm) {
  auto what = of(kind::reduce, comm);
  what.send = send;
  what.receive = receive;
  what.send_count = what.receive_count = count;
  what.send_type = what.receive_type = type;
  what.op = op;
  what.root = root;
  return what;
}

call call::allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                     std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  auto what = of(kind::allgather, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_count = receive_count;
  what.receive_type = receive_type;
  return what;
}

call call::allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                      count_list receive_counts, place_list displacements, MPI_Datatype receive_type,
                      any_communicator comm) {
  auto what = of(kind::allgatherv, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.receive_displacements = displacements;
  what.receive_type = receive_type;
  return what;
}

call call::allreduce(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                     any_communicator comm) {
  auto what = of(kind::allreduce, comm);
  what.send = send;
  what.receive = receive;
  what.send_count = what.receive_count = count;
  what.send_type = what.receive_type = type;
  what.op = op;
  return what;
}

call call::reduce_scatter(const void* send, void* receive, count_list receive_counts, MPI_Datatype type, MPI_Op op,
                          any_communicator comm) {
  auto what = of(kind::reduce_scatter, comm);
  what.send = send;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.send_type = what.receive_type = type;
  what.op = op;
  return what;
}

call call::reduce_scatter_block(const void* send, void* receive, std::int64_t receive_count, MPI_Datatype type,
                                MPI_Op op, any_communicator comm) {
  auto what = of(kind::reduce_scatter_block, comm);
  what.send = send;
  what.receive = receive;
  what.receive_count = receive_count;
  what.send_type = what.receive_type = type;
  what.op = op;
  return what;
}

call call::scan(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                any_communicator comm) {
  auto what = of(kind::scan, comm);
  what.send = send;
  what.receive = receive;
  what.send_count = what.receive_count = count;
  what.send_type = what.receive_type = type;
  what.op = op;
  return what;
}

call call::exscan(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                  any_communicator comm) {
  auto what = of(kind::exscan, comm);
  what.send = send;
  what.receive = receive;
  what.send_count = what.receive_count = count;
  what.send_type = what.receive_type = type;
  what.op = op;
  return what;
}

call call::alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                    std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  auto what = of(kind::alltoall, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_count = receive_count;
  what.receive_type = receive_type;
  return what;
}

call call::alltoallv(const void* send, count_list send_counts, place_list send_displacements, MPI_Datatype send_type,
                     void* receive, count_list receive_counts, place_list receive_displacements,
                     MPI_Datatype receive_type, any_communicator comm) {
  auto what = of(kind::alltoallv, comm);
  what.send = send;
  what.send_counts = send_counts;
  what.send_displacements = send_displacements;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.receive_displacements = receive_displacements;
  what.receive_type = receive_type;
  return what;
}

call call::alltoallw(const void* send, count_list send_counts, place_list send_displacements,
                     const MPI_Datatype* send_types, void* receive, count_list receive_counts,
                     place_list receive_displacements, const MPI_Datatype* receive_types, any_communicator comm) {
  auto what = of(kind::alltoallw, comm);
  what.send = send;
  what.send_counts = send_counts;
  what.send_displacements = send_displacements;
  what.send_types = send_types;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.receive_displacements = receive_displacements;
  what.receive_types = receive_types;
  return what;
}

call call::neighbor_allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                              std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  auto what = of(kind::neighbor_allgather, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_count = receive_count;
  what.receive_type = receive_type;
  return what;
}

call call::neighbor_allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                               count_list receive_counts, place_list displacements, MPI_Datatype receive_type,
                               any_communicator comm) {
  auto what = of(kind::neighbor_allgatherv, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.receive_displacements = displacements;
  what.receive_type = receive_type;
  return what;
}

call call::neighbor_alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                             std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  auto what = of(kind::neighbor_alltoall, comm);
  what.send = send;
  what.send_count = send_count;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_count = receive_count;
  what.receive_type = receive_type;
  return what;
}

call call::neighbor_alltoallv(const void* send, count_list send_counts, place_list send_displacements,
                              MPI_Datatype send_type, void* receive, count_list receive_counts,
                              place_list receive_displacements, MPI_Datatype receive_type, any_communicator comm) {
  auto what = of(kind::neighbor_alltoallv, comm);
  what.send = send;
  what.send_counts = send_counts;
  what.send_displacements = send_displacements;
  what.send_type = send_type;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.receive_displacements = receive_displacements;
  what.receive_type = receive_type;
  return what;
}

call call::neighbor_alltoallw(const void* send, count_list send_counts, const MPI_Aint* send_addresses,
                              const MPI_Datatype* send_types, void* receive, count_list receive_counts,
                              const MPI_Aint* receive_addresses, const MPI_Datatype* receive_types,
                              any_communicator comm) {
  auto what = of(kind::neighbor_alltoallw, comm);
  what.send = send;
  what.send_counts = send_counts;
  what.send_addresses = send_addresses;
  what.send_types = send_types;
  what.receive = receive;
  what.receive_counts = receive_counts;
  what.receive_addresses = receive_addresses;
  what.receive_types = receive_types;
  return what;
}

}  // namespace wherry::collective
