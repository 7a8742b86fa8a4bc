#include "wherry/collective/call.hpp"

#include "core/collective_names.hpp"

namespace wherry::collective {
namespace {

static_assert(collective_names.size() == kinds);

/// A call with blocks of equal size.
call of_blocks(kind what, const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
               std::int64_t receive_count, MPI_Datatype receive_type, int root, MPI_Comm comm) {
  return {.kind = what,
          .comm = comm,
          .send = send,
          .receive = receive,
          .send_count = send_count,
          .receive_count = receive_count,
          .send_type = send_type,
          .receive_type = receive_type,
          .root = root};
}

/// A reduction of vectors.
call of_vectors(kind what, const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op, int root,
                MPI_Comm comm) {
  auto made = of_blocks(what, send, count, type, receive, count, type, root, comm);
  made.op = op;
  return made;
}

/// A call that gathers blocks of different sizes.
call of_gathered(kind what, const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                 count_list receive_counts, place_list displacements, MPI_Datatype receive_type, int root,
                 MPI_Comm comm) {
  return {.kind = what,
          .comm = comm,
          .send = send,
          .receive = receive,
          .send_count = send_count,
          .receive_counts = receive_counts,
          .receive_displacements = displacements,
          .send_type = send_type,
          .receive_type = receive_type,
          .root = root};
}

/// A call in which both sides have blocks of different sizes.
call of_lists(kind what, const void* send, count_list send_counts, place_list send_displacements,
              MPI_Datatype send_type, void* receive, count_list receive_counts, place_list receive_displacements,
              MPI_Datatype receive_type, MPI_Comm comm) {
  return {.kind = what,
          .comm = comm,
          .send = send,
          .receive = receive,
          .send_counts = send_counts,
          .receive_counts = receive_counts,
          .send_displacements = send_displacements,
          .receive_displacements = receive_displacements,
          .send_type = send_type,
          .receive_type = receive_type};
}

}  // namespace

std::string_view name_of(kind what) { return collective_names[static_cast<std::size_t>(what)]; }

std::optional<kind> detail::kind_named(std::string_view name) {
  for (std::size_t i = 0; i < collective_names.size(); ++i)
    if (collective_names[i] == name) return static_cast<kind>(i);
  return std::nullopt;
}

call call::barrier(any_communicator comm) { return {.kind = kind::barrier, .comm = comm}; }

call call::bcast(void* buffer, std::int64_t count, MPI_Datatype type, int root, any_communicator comm) {
  return {
      .kind = kind::bcast, .comm = comm, .receive = buffer, .receive_count = count, .receive_type = type, .root = root};
}

call call::gather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                  std::int64_t receive_count, MPI_Datatype receive_type, int root, any_communicator comm) {
  return of_blocks(kind::gather, send, send_count, send_type, receive, receive_count, receive_type, root, comm);
}

call call::gatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                   count_list receive_counts, place_list displacements, MPI_Datatype receive_type, int root,
                   any_communicator comm) {
  return of_gathered(kind::gatherv, send, send_count, send_type, receive, receive_counts, displacements, receive_type,
                     root, comm);
}

call call::scatter(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                   std::int64_t receive_count, MPI_Datatype receive_type, int root, any_communicator comm) {
  return of_blocks(kind::scatter, send, send_count, send_type, receive, receive_count, receive_type, root, comm);
}

call call::scatterv(const void* send, count_list send_counts, place_list displacements, MPI_Datatype send_type,
                    void* receive, std::int64_t receive_count, MPI_Datatype receive_type, int root,
                    any_communicator comm) {
  return {.kind = kind::scatterv,
          .comm = comm,
          .send = send,
          .receive = receive,
          .receive_count = receive_count,
          .send_counts = send_counts,
          .send_displacements = displacements,
          .send_type = send_type,
          .receive_type = receive_type,
          .root = root};
}

call call::reduce(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op, int root,
                  any_communicator comm) {
  return of_vectors(kind::reduce, send, receive, count, type, op, root, comm);
}

call call::allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                     std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  return of_blocks(kind::allgather, send, send_count, send_type, receive, receive_count, receive_type, 0, comm);
}

call call::allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                      count_list receive_counts, place_list displacements, MPI_Datatype receive_type,
                      any_communicator comm) {
  return of_gathered(kind::allgatherv, send, send_count, send_type, receive, receive_counts, displacements,
                     receive_type, 0, comm);
}

call call::allreduce(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                     any_communicator comm) {
  return of_vectors(kind::allreduce, send, receive, count, type, op, 0, comm);
}

call call::reduce_scatter(const void* send, void* receive, count_list receive_counts, MPI_Datatype type, MPI_Op op,
                          any_communicator comm) {
  return {.kind = kind::reduce_scatter,
          .comm = comm,
          .send = send,
          .receive = receive,
          .receive_counts = receive_counts,
          .send_type = type,
          .receive_type = type,
          .op = op};
}

call call::reduce_scatter_block(const void* send, void* receive, std::int64_t receive_count, MPI_Datatype type,
                                MPI_Op op, any_communicator comm) {
  return {.kind = kind::reduce_scatter_block,
          .comm = comm,
          .send = send,
          .receive = receive,
          .receive_count = receive_count,
          .send_type = type,
          .receive_type = type,
          .op = op};
}

call call::scan(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                any_communicator comm) {
  return of_vectors(kind::scan, send, receive, count, type, op, 0, comm);
}

call call::exscan(const void* send, void* receive, std::int64_t count, MPI_Datatype type, MPI_Op op,
                  any_communicator comm) {
  return of_vectors(kind::exscan, send, receive, count, type, op, 0, comm);
}

call call::alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                    std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  return of_blocks(kind::alltoall, send, send_count, send_type, receive, receive_count, receive_type, 0, comm);
}

call call::alltoallv(const void* send, count_list send_counts, place_list send_displacements, MPI_Datatype send_type,
                     void* receive, count_list receive_counts, place_list receive_displacements,
                     MPI_Datatype receive_type, any_communicator comm) {
  return of_lists(kind::alltoallv, send, send_counts, send_displacements, send_type, receive, receive_counts,
                  receive_displacements, receive_type, comm);
}

call call::alltoallw(const void* send, count_list send_counts, place_list send_displacements,
                     const MPI_Datatype* send_types, void* receive, count_list receive_counts,
                     place_list receive_displacements, const MPI_Datatype* receive_types, any_communicator comm) {
  return {.kind = kind::alltoallw,
          .comm = comm,
          .send = send,
          .receive = receive,
          .send_counts = send_counts,
          .receive_counts = receive_counts,
          .send_displacements = send_displacements,
          .receive_displacements = receive_displacements,
          .send_types = send_types,
          .receive_types = receive_types};
}

call call::neighbor_allgather(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                              std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  return of_blocks(kind::neighbor_allgather, send, send_count, send_type, receive, receive_count, receive_type, 0,
                   comm);
}

call call::neighbor_allgatherv(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                               count_list receive_counts, place_list displacements, MPI_Datatype receive_type,
                               any_communicator comm) {
  return of_gathered(kind::neighbor_allgatherv, send, send_count, send_type, receive, receive_counts, displacements,
                     receive_type, 0, comm);
}

call call::neighbor_alltoall(const void* send, std::int64_t send_count, MPI_Datatype send_type, void* receive,
                             std::int64_t receive_count, MPI_Datatype receive_type, any_communicator comm) {
  return of_blocks(kind::neighbor_alltoall, send, send_count, send_type, receive, receive_count, receive_type, 0, comm);
}

call call::neighbor_alltoallv(const void* send, count_list send_counts, place_list send_displacements,
                              MPI_Datatype send_type, void* receive, count_list receive_counts,
                              place_list receive_displacements, MPI_Datatype receive_type, any_communicator comm) {
  return of_lists(kind::neighbor_alltoallv, send, send_counts, send_displacements, send_type, receive, receive_counts,
                  receive_displacements, receive_type, comm);
}

call call::neighbor_alltoallw(const void* send, count_list send_counts, const MPI_Aint* send_addresses,
                              const MPI_Datatype* send_types, void* receive, count_list receive_counts,
                              const MPI_Aint* receive_addresses, const MPI_Datatype* receive_types,
                              any_communicator comm) {
  return {.kind = kind::neighbor_alltoallw,
          .comm = comm,
          .send = send,
          .receive = receive,
          .send_counts = send_counts,
          .receive_counts = receive_counts,
          .send_types = send_types,
          .receive_types = receive_types,
          .send_addresses = send_addresses,
          .receive_addresses = receive_addresses};
}

}  // namespace wherry::collective
