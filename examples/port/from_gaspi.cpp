// A ring of notified writes with GASPI's names, and with Wherry's. The program checks that both give the same numbers.
// docs/howto/port_older_systems.md shows the parts between [ and ].
#include <GASPI.h>
#include <wherry/wherry.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

namespace {

// [before
void before(std::vector<double>& values) {
  const gaspi_size_t bytes = values.size() * sizeof(double);
  gaspi_rank_t rank, ranks;
  gaspi_pointer_t memory;
  gaspi_notification_id_t id;
  gaspi_notification_t value;
  gaspi_proc_rank(&rank);
  gaspi_proc_num(&ranks);
  gaspi_segment_create(0, 2 * bytes, GASPI_GROUP_ALL, GASPI_BLOCK, GASPI_MEM_INITIALIZED);
  gaspi_segment_ptr(0, &memory);
  double* const leaving = static_cast<double*>(memory);
  double* const arrived = leaving + values.size();
  for (std::size_t i = 0; i < values.size(); ++i) leaving[i] = values[i];
  gaspi_write_notify(0, 0, gaspi_rank_t((rank + 1) % ranks), 0, bytes, bytes, 5, 1, 0, GASPI_BLOCK);
  gaspi_notify_waitsome(0, 5, 1, &id, GASPI_BLOCK);
  gaspi_notify_reset(0, id, &value);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = arrived[i];
  gaspi_wait(0, GASPI_BLOCK);
  gaspi_segment_delete(0);
}
// before]

// [after
void after(std::vector<double>& values) {
  wherry::communicator comm(MPI_COMM_WORLD);
  wherry::segment<double> arrived(comm, wherry::index_t(values.size()));
  arrived.write_notify((comm.rank() + 1) % comm.size(), 0, values, 5);
  arrived.wait(5);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = arrived.mine()[i];
}
// after]

}  // namespace

int main(int argc, char** argv) {
  wherry::mpi_session mpi(argc, argv);
  gaspi_proc_init(GASPI_BLOCK);
  std::vector<double> u(1000), v;
  std::iota(u.begin(), u.end(), 1000.0 * mpi.rank());
  v = u;
  before(u);
  gaspi_barrier(GASPI_GROUP_ALL, GASPI_BLOCK);
  gaspi_proc_term(GASPI_BLOCK);
  after(v);
  const bool right = u == v && u[0] == 1000.0 * ((mpi.rank() + mpi.size() - 1) % mpi.size());
  const bool all = wherry::collective::allreduce(MPI_COMM_WORLD, int(right), wherry::minimum{}) == 1;
  if (mpi.rank() == 0) std::printf("from_gaspi: %s\n", all ? "the same numbers" : "DIFFERENT");
  return all ? 0 : 1;
}
