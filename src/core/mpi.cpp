#include "wherry/core/mpi.hpp"

#include <cstdio>
#include <exception>

#include "wherry/core/error.hpp"

#include "last_words.hpp"

namespace wherry {

void check_mpi(int status, std::string_view call) {
  if (status == MPI_SUCCESS) return;
  char message[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  PMPI_Error_string(status, message, &length);
  throw error(error_kind::mpi, call, std::string_view(message, static_cast<std::size_t>(length)));
}

// A probe that finds a message returns at once: in MPICH without any progress, and in a simulator without letting
// others run. So this one looks for a tag that no message has (`communicator::next_tag` begins at 1).
void detail::progress_mpi([[maybe_unused]] MPI_Comm comm) {
#if defined(SMPI_H)
  // Only simulated time must pass, as much as a message takes (tools/run/simgrid.py). A probe would do harm: SimGrid
  // 3.32 forgets messages that were probed and not received.
  smpi_sleep(1);
#else
  int found = 0;
  check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, 0, comm, &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
#endif
}

void detail::spare_simulator() {
#if defined(SMPI_H)
  smpi_sleep(16);  // the time of a letter; most of the cost of making a communicator in a simulator were looks
#endif
}

MPI_Request detail::start_allgather(const void* mine, void* all, int bytes, MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
#if defined(SMPI_H)  // MPI_Iallgather sends messages to all, and each poll searches everything that this rank ever sent
  check_mpi(PMPI_Allgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm), "MPI_Allgather");
#else
  check_mpi(PMPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, comm, &request), "MPI_Iallgather");
#endif
  return request;
}

bool detail::is_cartesian(MPI_Comm comm) {
#if defined(SMPI_H)  // SimGrid has no MPI_Topo_test
  int dimensions = 0;
  return PMPI_Cartdim_get(comm, &dimensions) == MPI_SUCCESS;
#else
  int topology = MPI_UNDEFINED;
  check_mpi(PMPI_Topo_test(comm, &topology), "MPI_Topo_test");
  return topology == MPI_CART;
#endif
}

bool detail::mpi_is_running() {
  if (detail::is_forked_child()) return false;
  int initialized = 0, finalized = 0;
  PMPI_Initialized(&initialized);
  PMPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

mpi_session::mpi_session() {
  int initialized = 0;
  PMPI_Initialized(&initialized);
  if (initialized != 0) return;
  int provided = 0;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  owner_ = true;
  detail::watch_forks();
  install_last_words();
}

mpi_session::mpi_session(int& argc, char**& argv) {
  int initialized = 0;
  PMPI_Initialized(&initialized);
  if (initialized != 0) return;
  int provided = 0;
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided), "MPI_Init_thread");
  owner_ = true;
  detail::watch_forks();
  install_last_words();
}

mpi_session::~mpi_session() {
  // While an exception unwinds, the other ranks will not come to MPI_Finalize: waiting for them would hang.
  if (!owner_ || !detail::mpi_is_running()) return;
  if (std::uncaught_exceptions() > 0) end_job("an exception leaves the scope of wherry::mpi_session");
  remove_last_words();
  prepare_to_finalize();
  MPI_Finalize();
}

int mpi_session::rank() const {
  int rank = 0;
  check_mpi(PMPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  return rank;
}

int mpi_session::size() const {
  int size = 1;
  check_mpi(PMPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  return size;
}

int run_main(int argc, char** argv, int (*body)(int argc, char** argv)) {
  try {
    mpi_session session(argc, argv);
    try {
      return body(argc, argv);
    } catch (const std::exception& failure) {
      if (detail::is_forked_child()) throw;
      end_job(failure.what());
    }
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  }
  return 1;
}

}  // namespace wherry
