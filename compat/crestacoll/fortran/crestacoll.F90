! CRESTA's blocking names (crestacoll.inc) for programs with mpif.h or the module mpi: handles are integers.
#define COMM integer(c_int)
#define DATATYPE integer(c_int)
#define OPERATION integer(c_int)
module crestacoll
  use, intrinsic :: iso_c_binding, only: c_int
  implicit none
  private :: c_int
#include "crestacoll.inc"
end module
