! The CRESTA Collective Communication Library's names (paper 2, annex A.1): change MPI_ into CRESTA_, and
! nothing else. Buffers are of any type and shape; handles are integers, as of mpif.h and the module mpi (with mpi_f08: comm%MPI_VAL).
module crestacoll
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private :: c_int

  interface
    subroutine CRESTA_Bcast(buffer, count, datatype, root, comm, rc) &
        & bind(c, name="cresta_bcast_f")
      import
      type(*), dimension(*) :: buffer
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      !DIR$ IGNORE_TKR buffer
      !IBM* IGNORE_TKR buffer
      integer(c_int), intent(in) :: count, datatype, root, comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, rc) &
        & bind(c, name="cresta_gather_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, &
        & recvtype, root, comm, rc) &
        & bind(c, name="cresta_gatherv_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvtype, root, comm
      integer(c_int), intent(in) :: recvcounts(*), displs(*)
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, rc) &
        & bind(c, name="cresta_scatter_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Scatterv(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, &
        & recvtype, root, comm, rc) &
        & bind(c, name="cresta_scatterv_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(in) :: sendcounts(*), displs(*)
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Reduce(sendbuf, recvbuf, count, datatype, op, root, comm, rc) &
        & bind(c, name="cresta_reduce_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: count, datatype, op, root, comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, rc) &
        & bind(c, name="cresta_allgather_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, rc) &
        & bind(c, name="cresta_allgatherv_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvtype, comm
      integer(c_int), intent(in) :: recvcounts(*), displs(*)
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Allreduce(sendbuf, recvbuf, count, datatype, op, comm, rc) &
        & bind(c, name="cresta_allreduce_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: count, datatype, op, comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Reduce_scatter(sendbuf, recvbuf, recvcounts, datatype, op, comm, rc) &
        & bind(c, name="cresta_reduce_scatter_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: datatype, op, comm
      integer(c_int), intent(in) :: recvcounts(*)
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, rc) &
        & bind(c, name="cresta_alltoall_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, &
        & rdispls, recvtype, comm, rc) &
        & bind(c, name="cresta_alltoallv_f")
      import
      type(*), dimension(*) :: sendbuf, recvbuf
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DEC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
      !DIR$ IGNORE_TKR sendbuf, recvbuf
      !IBM* IGNORE_TKR sendbuf, recvbuf
      integer(c_int), intent(in) :: sendtype, recvtype, comm
      integer(c_int), intent(in) :: sendcounts(*), sdispls(*), recvcounts(*), rdispls(*)
      integer(c_int), intent(out), optional :: rc
    end subroutine

    ! Collective: gets ready what the one-sided implementations need on this communicator.
    subroutine CRESTA_Win_init(comm, rc) bind(c, name="cresta_win_init_f")
      import
      integer(c_int), intent(in) :: comm
      integer(c_int), intent(out), optional :: rc
    end subroutine

    subroutine CRESTA_Win_finalize(rc) bind(c, name="cresta_win_finalize_f")
      import
      integer(c_int), intent(out), optional :: rc
    end subroutine
  end interface
end module
