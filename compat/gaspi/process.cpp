// gaspi_proc_init, gaspi_proc_term and what they start and end; ranks.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "wherry/core/mpi.hpp"
#include "wherry/notify/health.hpp"

#include "PGASPI.h"
#include "calls.hpp"
#include "configuration.hpp"
#include "members.hpp"
#include "threads.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_proc_init);
WHERRY_WEAK_NAME(gaspi_proc_term);
WHERRY_WEAK_NAME(gaspi_proc_rank);
WHERRY_WEAK_NAME(gaspi_proc_num);
WHERRY_WEAK_NAME(gaspi_connect);
WHERRY_WEAK_NAME(gaspi_disconnect);
WHERRY_WEAK_NAME(gaspi_initialized);
WHERRY_WEAK_NAME(gaspi_proc_local_rank);
WHERRY_WEAK_NAME(gaspi_proc_local_num);

namespace wherry::gaspi {
namespace {

/// Never destroyed, because other threads may still be inside when static objects are destroyed.
std::unique_ptr<world>& kept() {
  static auto* const w = new std::unique_ptr<world>;
  return *w;
}

void end_world() {
  shut_world(wake_threads);
  kept().reset();
}

/// Ends MPI at the end of the program, if gaspi_proc_init has started it: MPI cannot be started twice in a process, but
/// gaspi_proc_init may be called again after gaspi_proc_term. A rank that exits with a failure leaves the job to the
/// launcher: other ranks may wait for it, and MPI_Finalize would wait for them.
///
/// Functions registered last run first, and static objects are destroyed in the same order. This function must run
/// before the objects that MPI_Finalize uses are destroyed: so gaspi_proc_init and gaspi_proc_term register it when
/// these objects exist.
void end_mpi(int status, void*) {
  if (status != 0 || !detail::mpi_is_running()) return;
  guarded("exit", [] {
    const auto all = health(communicator(MPI_COMM_WORLD));
    if (std::find(all.begin(), all.end(), rank_health::corrupt) != all.end()) {
      std::fflush(nullptr);
      _exit(0);  // MPI_Finalize would wait for dead ranks
    }
    end_world();
    prepare_to_finalize();
    PMPI_Finalize();
    return GASPI_SUCCESS;
  });
}

bool ends_mpi = false;  // true if this library has started MPI

gaspi_return_t start_mpi() {
  int is_started = 0, is_ended = 0;
  PMPI_Initialized(&is_started);
  PMPI_Finalized(&is_ended);
  if (is_ended != 0) return refuse("gaspi_proc_init", GASPI_ERR_ENV, "MPI has ended and cannot be started again");
  if (is_started != 0) return GASPI_SUCCESS;
  // Open MPI 4 attaches only 32 pieces of memory to a window, unless this is set before it starts.
  setenv("OMPI_MCA_osc_rdma_max_attach", "1024", 0);
  int gets = 0;
  if (PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &gets) != MPI_SUCCESS)
    return refuse("gaspi_proc_init", GASPI_ERR_ENV, "MPI_Init_thread failed");
  ends_mpi = true;
  return GASPI_SUCCESS;
}

void end_mpi_at_exit() {
  if (ends_mpi) on_exit(end_mpi, nullptr);
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;

gaspi_return_t pgaspi_proc_init(const gaspi_timeout_t) {
  constexpr auto call = "gaspi_proc_init";
  if (world::current() != nullptr) return refuse(call, GASPI_ERR_INITED, "gaspi_proc_init has already been called");
  return guarded(call, [] {
    if (const auto started = start_mpi(); started != GASPI_SUCCESS) return started;
    try {
      kept() = std::make_unique<world>(wherry::communicator(MPI_COMM_WORLD), current_configuration());
      make_group_of_all(*kept());
    } catch (const wherry::error& failure) {
      if (failure.kind() != wherry::error_kind::mismatch) throw;
      return refuse("gaspi_proc_init", GASPI_ERR_CONFIG, failure.what());
    }
    open_world();
    world::now.store(kept().get(), std::memory_order_release);
    end_mpi_at_exit();
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_proc_term(const gaspi_timeout_t) {
  constexpr auto call = "gaspi_proc_term";
  return guarded(call, [] {
    if (world::current() == nullptr) return refuse(call, GASPI_ERR_NOINIT, "gaspi_proc_init has not been called");
    wherry::detail::require_mpi(call);  // a child of fork() has the world, but not its threads
    end_world();
    end_mpi_at_exit();
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_proc_rank(gaspi_rank_t* const rank) {
  return answer("gaspi_proc_rank", rank, [](world& w) { return w.rank; });
}

gaspi_return_t pgaspi_proc_num(gaspi_rank_t* const proc_num) {
  return answer("gaspi_proc_num", proc_num, [](world& w) { return w.size; });
}

// MPI connects by itself.
gaspi_return_t pgaspi_connect(const gaspi_rank_t rank, const gaspi_timeout_t) {
  constexpr auto call = "gaspi_connect";
  return in_world(call, [&](world& w) {
    return w.has_rank(rank) ? GASPI_SUCCESS : refuse(call, GASPI_ERR_INV_RANK, "'rank' is not a rank of this job");
  });
}

gaspi_return_t pgaspi_disconnect(const gaspi_rank_t rank, const gaspi_timeout_t) {
  constexpr auto call = "gaspi_disconnect";
  return in_world(call, [&](world& w) {
    return w.has_rank(rank) ? GASPI_SUCCESS : refuse(call, GASPI_ERR_INV_RANK, "'rank' is not a rank of this job");
  });
}

gaspi_return_t pgaspi_initialized(gaspi_number_t* initialized) {
  if (initialized == nullptr) return refuse("gaspi_initialized", GASPI_ERR_NULLPTR, "'initialized' is null");
  *initialized = world::current() != nullptr ? 1 : 0;
  return GASPI_SUCCESS;
}

gaspi_return_t pgaspi_proc_local_rank(gaspi_rank_t* const local_rank) {
  return answer("gaspi_proc_local_rank", local_rank, [](world& w) { return w.comm.node_index(w.rank); });
}

gaspi_return_t pgaspi_proc_local_num(gaspi_rank_t* const local_num) {
  return answer("gaspi_proc_local_num", local_num, [](world& w) { return w.comm.node_ranks().size(); });
}
