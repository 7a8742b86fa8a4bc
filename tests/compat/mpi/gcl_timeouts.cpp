// A wait that has lasted too long may be repeated, in every pattern.
#include <vector>

#include "compat/mpi/gcl_oracle.hpp"
#include "gcl/gcl.hpp"
#include "harness/harness.hpp"
#include "harness/patient.hpp"
#include "support/with_setting.hpp"

namespace {

using GCL::halo_descriptor;
using GCL::layout_map;

/// The last rank starts when those who hear of it, as `before` says, have waited in vain; they wait again then, and all
/// has arrived.
void waits_again(const wherry_test::context& test, int before, auto start, auto wait) {
  const int late = test.size - 1;
  {
    const wherry_test::with_setting limit("timeout", "0.2", "0");
    if (test.rank != late) {
      start();
      if (before == late) CHECK_THROWS_WITH(wait(), "waited longer than WHERRY_TIMEOUT");
    }
    wherry_test::patient_barrier(test.comm);
  }
  if (test.rank == late) start();
  wait();
}

}  // namespace

WHERRY_TEST(a_timeout_is_not_the_end, ranks(2, 3).not_simulated("it waits by the clock")) {
  using grid_type = GCL::MPI_2D_process_grid_t<GCL::boollist<2>>;
  const GCL::array<int, 2> in_a_row(test.size, 1);
  const grid_type grid(GCL::boollist<2>(true, true), test.comm, in_a_row);
  const int before = grid.proc<-1, 0>();
  int out = 10 + test.rank, in = -1;

  GCL::Halo_Exchange_2D<grid_type> buffers(grid);
  buffers.register_send_to_buffer<1, 0>(&out, sizeof out);
  buffers.register_receive_from_buffer<-1, 0>(&in, sizeof in);
  buffers.exchange();  // the first one is collective
  in = -1;
  waits_again(test, before, [&] { buffers.start_exchange(); }, [&] { buffers.wait(); });
  CHECK_EQUAL(in, 10 + before);

  GCL::all_to_all<int> packets(test.size, test.comm);
  packets.to[static_cast<std::size_t>((test.rank + 1) % test.size)] = GCL::packet<int>(MPI_INT, &out);
  packets.from[static_cast<std::size_t>(before)] = GCL::packet<int>(MPI_INT, &in);
  packets.setup();
  in = -1;
  waits_again(test, before, [&] { packets.start_exchange(); }, [&] { packets.wait(); });
  CHECK_EQUAL(in, 10 + before);

  const std::vector<halo_descriptor> whole(2, halo_descriptor(0, 0, 0, 0, 1));
  GCL::all_to_all_halo<int, grid_type> blocks(grid);
  blocks.register_block_to(&out, whole, GCL::array<int, 2>((test.rank + 1) % test.size, 0));
  blocks.register_block_from(&in, whole, GCL::array<int, 2>(before, 0));
  blocks.setup();
  in = -1;
  waits_again(test, before, [&] { blocks.start_exchange(); }, [&] { blocks.wait(); });
  CHECK_EQUAL(in, 10 + before);

  MPI_Comm cart = gcl_oracle::cartesian(test.comm, 2);
  const halo_descriptor halo[2] = {{1, 1, 1, 2, 4}, {0, 0, 0, 0, 1}};
  std::vector<int> cells(4, test.rank);
  using map = layout_map<0, 1>;
  GCL::halo_exchange_ut<map, map, int, 2> bound(GCL::boollist<2>(true, true), cart, halo, cells.data());
  waits_again(test, before, [&] { bound.start_exchange(); }, [&] { bound.wait(); });
  CHECK_EQUAL(cells[0], before);

  cells.assign(4, test.rank);
  GCL::halo_exchange_dynamic_ut<map, map, int, 2> dynamic(GCL::boollist<2>(true, true), cart);
  dynamic.add_halo<0>(halo[0]);
  dynamic.add_halo<1>(halo[1]);
  dynamic.setup(1);
  waits_again(
      test, before,
      [&] {
        dynamic.pack(cells.data());
        dynamic.exchange();
      },
      [&] { dynamic.unpack(cells.data()); });
  CHECK_EQUAL(cells[0], before);
  MPI_Comm_free(&cart);
}
