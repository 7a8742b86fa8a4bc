// A program as they were written for GCL: its own header names, its run-time started and ended by GCL alone or, with
// an argument, started by the program.
#include <GCL.h>
#include <descriptors.h>
#include <descriptors_dt.h>
#include <halo_exchange.h>
#include <mpi.h>
#include <utils/array.h>
#include <utils/boollist.h>
#include <utils/layout_map.h>
#include <utils/make_array.h>
#include <utils/ndloops.h>

#include <cstdio>
#include <vector>

// As GCL's headers bring them along: CUDA's words, <cassert> and <cmath>.
struct cell {
  __host__ __device__ explicit cell(double value) : square(static_cast<int>(pow(value, 2))) { assert(value >= 0); }
  int square;
};

int main(int argc, char** argv) {
  if (argc > 1) MPI_Init(&argc, &argv);
  GCL::GCL_Init(argc, argv);
  const int pid = GCL::PID;
  int dims[2] = {0, 0}, periods[2] = {1, 1};
  MPI_Dims_create(GCL::PROCS, 2, dims);
  MPI_Comm cart = MPI_COMM_NULL;
  MPI_Cart_create(GCL::GCL_WORLD, 2, dims, periods, 0, &cart);

  typedef GCL::halo_exchange_dynamic_ut<GCL::layout_map<1, 0>, GCL::layout_map<0, 1>, int, 2, GCL::gcl_cpu, 1>
      pattern_type;
  pattern_type he(pattern_type::grid_type::period_type(true, true), cart);
  he.add_halo<0>(1, 1, 1, 2, 4);
  he.add_halo<1>(1, 1, 1, 2, 4);
  he.setup(1);
  std::vector<int> a(16, pid);
  he.pack(&a[0]);
  he.exchange();
  he.unpack(&a[0]);
  const int expected = he.comm().proc<-1, -1>();
  bool right = a[0] == expected && a[5] == pid && cell(3).square == 9;

  typedef GCL::Halo_Exchange_2D<GCL::_2D_process_grid_t<GCL::gcl_utils::boollist<2>>> lower_type;
  GCL::hndlr_descriptor_ut<int, 2, lower_type> hd(GCL::gcl_utils::boollist<2>(true, true), GCL::PROCS, pid);
  hd.register_field(&a[0]);
  hd.register_halo(0, 0, 1, 1, 1, 2, 4);
  hd.register_halo(0, 1, 1, 1, 1, 2, 4);
  hd.allocate_buffers();
  a.assign(16, pid);
  hd.pack();
  hd.exchange();
  hd.unpack();
  right = right && a[0] == hd.pattern().proc_grid().proc(-1, -1) && a[5] == pid;
  MPI_Comm_free(&cart);

  GCL::GCL_Finalize();
  int ended = 0;
  MPI_Finalized(&ended);
  if (pid == 0) std::printf("corner %s, MPI %s\n", right ? "right" : "wrong", ended ? "ended" : "still there");
  return right && ended ? 0 : 1;
}
