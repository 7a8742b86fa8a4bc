/* The names of the CRESTA Collective Communication Library (CRESTA, annex A) over Wherry's collectives: in a
   program, change MPI_ to CRESTA_ and nothing else. All are collective over `comm`, and return what the MPI function
   would return. The build of this library has chosen an implementation for each (docs/collective_choice.md). */
#ifndef CRESTACOLL_H
#define CRESTACOLL_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

int CRESTA_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int CRESTA_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm);
int CRESTA_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                   const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm);
int CRESTA_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm);
int CRESTA_Scatterv(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                    void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
int CRESTA_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                  MPI_Comm comm);
int CRESTA_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm);
int CRESTA_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int recvcounts[],
                      const int displs[], MPI_Datatype recvtype, MPI_Comm comm);
int CRESTA_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int CRESTA_Reduce_scatter(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm);
int CRESTA_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm);
int CRESTA_Alltoallv(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                     void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm);

/* CRESTA_Win_init makes windows for the one-sided implementations on this communicator, with the size that the build
   has set; without -D_STATIC_OS_WIN it does nothing. CRESTA_Win_finalize frees all of them, in the opposite order.
   Both are collective. They are optional: without them the first one-sided call makes windows, which are kept. */
int CRESTA_Win_init(MPI_Comm comm);
int CRESTA_Win_finalize(void);

#ifdef __cplusplus
}
#endif

#endif
