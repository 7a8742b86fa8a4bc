/* The CRESTA Collective Communication Library's names (paper 2, annex A), over Wherry's collectives: change MPI_ into
   CRESTA_, and nothing else. Which implementation does each was chosen when the library was built (docs/collective.md).
   All return what MPI's would. */
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

/* Collective: makes windows of the build's size for the one-sided implementations on this communicator (built with
   -D_STATIC_OS_WIN; else nothing happens). And frees all of them, in the opposite order. Not needed: without them
   windows are made in the first one-sided call, and kept. */
int CRESTA_Win_init(MPI_Comm comm);
int CRESTA_Win_finalize(void);

#ifdef __cplusplus
}
#endif

#endif
