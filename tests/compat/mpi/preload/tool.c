/* A tool that is loaded behind the preload: what falls through must come by it. */
#include <mpi.h>
#include <stdio.h>

static int broadcasts = 0, sums = 0, messages = 0;

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++broadcasts;
  return PMPI_Bcast(buffer, count, type, root, comm);
}

int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++sums;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

#define SENDS(name)                                                                                \
  int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    ++messages;                                                                                    \
    return PMPI_##name(data, count, type, to, tag, comm);                                          \
  }
#define BEGINS_TO_SEND(name)                                                                     \
  int MPI_##name(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                 MPI_Request* request) {                                                         \
    ++messages;                                                                                  \
    return PMPI_##name(data, count, type, to, tag, comm, request);                               \
  }
SENDS(Send)
SENDS(Ssend)
BEGINS_TO_SEND(Isend)
BEGINS_TO_SEND(Issend)

int MPI_Recv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status* status) {
  ++messages;
  return PMPI_Recv(data, count, type, from, tag, comm, status);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  ++messages;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to, int out_tag, void* in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status* status) {
  messages += 2;
  return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag, comm, status);
}

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) fprintf(stderr, "tool: %d broadcasts, %d sums, %d messages\n", broadcasts, sums, messages);
  return PMPI_Finalize();
}
