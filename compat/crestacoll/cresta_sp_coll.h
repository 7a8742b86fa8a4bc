/* The split-phase collectives of the CRESTA Collective Communication Library (CRESTA, section 4.3). Each begins a
   collective over `comm` and returns at once, with a request; the collective has ended when CRESTA_Coll_end of the
   request returns. Until then the buffers belong to the library. If the library was built with -D_PROTECTED_BUFFER,
   the send buffer may be changed at once. (The CRESTA paper prints MPI_Request by value, which cannot work.) */
#ifndef CRESTA_SP_COLL_H
#define CRESTA_SP_COLL_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

int CRESTA_Bcast_begin(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request* request);
int CRESTA_Gather_begin(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                        MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request);
int CRESTA_Gatherv_begin(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm,
                         MPI_Request* request);
int CRESTA_Scatter_begin(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                         MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request);
int CRESTA_Scatterv_begin(const void* sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype,
                          void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                          MPI_Request* request);
int CRESTA_Reduce_begin(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                        MPI_Comm comm, MPI_Request* request);
int CRESTA_Allgather_begin(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int CRESTA_Allgatherv_begin(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                            const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                            MPI_Request* request);
int CRESTA_Allreduce_begin(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                           MPI_Comm comm, MPI_Request* request);
int CRESTA_Reduce_scatter_begin(const void* sendbuf, void* recvbuf, const int recvcounts[], MPI_Datatype datatype,
                                MPI_Op op, MPI_Comm comm, MPI_Request* request);
int CRESTA_Alltoall_begin(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                          MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int CRESTA_Alltoallv_begin(const void* sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                           void* recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                           MPI_Comm comm, MPI_Request* request);

/* Waits for all requests and sets them to MPI_REQUEST_NULL. MPI's own requests may be among them. Local. */
int CRESTA_Coll_end(int count, MPI_Request requests[]);

#ifdef __cplusplus
}
#endif

#endif
