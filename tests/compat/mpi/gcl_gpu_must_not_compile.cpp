// Fields in GPU memory come later; asking for them says so.
#include <mpi.h>

#include "gcl/gcl.hpp"

void make(MPI_Comm comm) {
  using namespace GCL;
#ifdef WHERRY_MUST_NOT_COMPILE
  using arch = gcl_gpu;
#else
  using arch = gcl_cpu;
#endif
  halo_exchange_generic<layout_map<0, 1, 2>, 3, arch, version_manual> he(period_type(true, true, true), comm);
}
