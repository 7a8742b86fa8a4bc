// A halo exchange with GCL's names, and with Wherry's. The program checks that both give the same bits.
// docs/howto/port_older_systems.md shows the two parts between [ and ].
#include <wherry/wherry.hpp>

#include <cstdio>
#include <vector>

#include "gcl/gcl.hpp"

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  int ranks[3] = {}, periodic[3] = {1, 0, 0};
  MPI_Dims_create(mpi.size(), 3, ranks);
  MPI_Comm cart;
  MPI_Cart_create(MPI_COMM_WORLD, 3, ranks, periodic, 0, &cart);

  const int nx = 5, ny = 4, nz = 6, h = 2;
  std::vector<double> pressure((nx + 2 * h) * (ny + 2 * h) * (nz + 2 * h)), velocity(pressure.size());
  for (std::size_t i = 0; i < pressure.size(); ++i) {
    pressure[i] = 1000 * mpi.rank() + double(i);
    velocity[i] = -pressure[i];
  }
  auto p = pressure, v = velocity;
  {
    // [before
    using data_layout = GCL::layout_map<2, 1, 0>;
    using grid_layout = GCL::layout_map<0, 1, 2>;
    using pattern =
        GCL::halo_exchange_dynamic_ut<data_layout, grid_layout, double, 3, GCL::gcl_cpu, GCL::version_manual>;
    pattern he(pattern::grid_type::period_type(true, false, false), cart);
    he.add_halo<0>(h, h, h, nx + h - 1, nx + 2 * h);
    he.add_halo<1>(h, h, h, ny + h - 1, ny + 2 * h);
    he.add_halo<2>(h, h, h, nz + h - 1, nz + 2 * h);
    he.setup(2);

    he.pack(p.data(), v.data());
    he.exchange();
    he.unpack(p.data(), v.data());
    // before]
  }
  {
    // [after
    wherry::process_grid grid(cart);
    const auto with_halo = [&](auto& array) {
      return wherry::halo_around(array, {nx, ny, nz}, h, wherry::c_layout<3>());
    };
    wherry::halo_exchange he(grid, with_halo(pressure), with_halo(velocity));

    he();
    // after]
  }
  const bool same =
      wherry::collective::allreduce(MPI_COMM_WORLD, int(p == pressure && v == velocity), wherry::minimum{}) == 1;
  if (mpi.rank() == 0) std::printf("from_gcl: %s\n", same ? "the same bits" : "DIFFERENT");
  MPI_Comm_free(&cart);
  return same ? 0 : 1;
}
