/* The split-phase names of the CRESTA Collective Communication Library (paper 2, section 4.3): each returns at once,
   and has ended when CRESTA_Coll_end of its request returns. Until then its buffers are the library's, unless that was
   built with -D_PROTECTED_BUFFER: then the send buffer is yours at once. (The paper prints MPI_Request by value, which
   cannot be.) */
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

/* Waits for all of them; MPI's own requests may be among them. They are MPI_REQUEST_NULL then. */
int CRESTA_Coll_end(int count, MPI_Request requests[]);

#ifdef __cplusplus
}
#endif

#endif
