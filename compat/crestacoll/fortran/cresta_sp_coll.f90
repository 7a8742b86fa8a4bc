! The split-phase names of the CRESTA Collective Communication Library (paper 2, section 4.3 and annex A.1).
! Buffers are of any type and shape; sections that are not contiguous would be copied by the compiler, and must not be given.
module cresta_sp_coll
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private :: c_int

  interface
    subroutine CRESTA_Bcast_begin(buffer, count, datatype, root, comm, request, rc) &
        & bind(c, name="cresta_bcast_begin_f")
      import
      type(*), dimension(*) :: buffer
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      !DIR$ IGNORE_TKR buffer
      !IBM* IGNORE_TKR buffer
      integer(c_int), intent(in) :: count, datatype, root, comm
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Gather_begin(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        & root, comm, request, rc) &
        & bind(c, name="cresta_gather_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Gatherv_begin(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        & recvtype, root, comm, request, rc) &
        & bind(c, name="cresta_gatherv_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvtype, root, comm
      integer(c_int), intent(in), asynchronous :: recvcounts(*), displs(*)
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Scatter_begin(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, &
        & root, comm, request, rc) &
        & bind(c, name="cresta_scatter_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Scatterv_begin(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, &
        & recvtype, root, comm, request, rc) &
        & bind(c, name="cresta_scatterv_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(in), asynchronous :: sendcounts(*), displs(*)
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Reduce_begin(sendbuf, recvbuf, count, datatype, op, root, comm, request, rc) &
        & bind(c, name="cresta_reduce_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: count, datatype, op, root, comm
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Allgather_begin(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, rc) &
        & bind(c, name="cresta_allgather_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Allgatherv_begin(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        & recvtype, comm, request, rc) &
        & bind(c, name="cresta_allgatherv_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvtype, comm
      integer(c_int), intent(in), asynchronous :: recvcounts(*), displs(*)
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Allreduce_begin(sendbuf, recvbuf, count, datatype, op, comm, request, rc) &
        & bind(c, name="cresta_allreduce_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: count, datatype, op, comm
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Reduce_scatter_begin(sendbuf, recvbuf, recvcounts, datatype, op, comm, request, rc) &
        & bind(c, name="cresta_reduce_scatter_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: datatype, op, comm
      integer(c_int), intent(in), asynchronous :: recvcounts(*)
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Alltoall_begin(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request, rc) &
        & bind(c, name="cresta_alltoall_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Alltoallv_begin(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        & rdispls, recvtype, comm, request, rc) &
        & bind(c, name="cresta_alltoallv_begin_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendtype, recvtype, comm
      integer(c_int), intent(in), asynchronous :: sendcounts(*), sdispls(*), recvcounts(*), rdispls(*)
      integer(c_int), intent(out) :: request
      integer(c_int), intent(out), optional :: rc
    end subroutine
  end interface

  ! Waits for all of them; MPI's own requests may be among them.
  interface CRESTA_Coll_end
    subroutine CRESTA_Coll_end_one(count, request, rc) bind(c, name="cresta_coll_end_one_f")
      import
      integer(c_int), intent(in) :: count, request
      integer(c_int), intent(out), optional :: rc
    end subroutine
    subroutine CRESTA_Coll_end_all(count, request, rc) bind(c, name="cresta_coll_end_f")
      import
      integer(c_int), intent(in) :: count, request(*)
      integer(c_int), intent(out), optional :: rc
    end subroutine
  end interface
end module
