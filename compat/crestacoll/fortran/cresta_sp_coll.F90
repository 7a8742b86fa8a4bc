! CRESTA's split-phase names (cresta_sp_coll.inc) for programs with mpif.h or the module mpi: handles are integers.
#define COMM integer(c_int)
#define DATATYPE integer(c_int)
#define OPERATION integer(c_int)
#define REQUEST integer(c_int)
module cresta_sp_coll
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private :: c_int
#include "cresta_sp_coll.inc"
end module
