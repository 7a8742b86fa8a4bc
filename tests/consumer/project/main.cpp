// The smallest useful program: a ring of ranks exchanges the halos of one array and checks what arrived.
#include <wherry/wherry.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  const wherry::process_grid grid(MPI_COMM_WORLD, {.periodic = {true}});
  const int rank = grid.comm().rank();
  const int size = grid.size();

  constexpr int cells = 8;
  wherry::field<double, 1> u(grid.comm(), {cells}, 1);
  for (int i = 0; i < cells; ++i) u(i) = rank * cells + i;

  wherry::halo_exchange exchange(grid, u);
  exchange();

  const int all = size * cells;
  const bool good = u(-1) == (rank * cells - 1 + all) % all && u(cells) == (rank * cells + cells) % all;
  int mine = good ? 1 : 0;
  int sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("consumer: %d of %d ranks have the right halos\n", sum, size);
  return sum == size ? 0 : 1;
}
