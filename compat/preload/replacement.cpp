#include "replacement.hpp"

#include <atomic>

#include "wherry/collective/mpi_errors.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/mpi.hpp"

#include "requests.hpp"
#include "selection.hpp"

namespace wherry::preload {
namespace {

/// True if MPI has been started and has not begun to end.
bool running() {
  static std::atomic<bool> started{false};
  if (started.load(std::memory_order_relaxed)) return !mpi_is_ending();
  if (!detail::mpi_is_running()) return false;
  report_at_the_end();
  started.store(true, std::memory_order_relaxed);
  return true;
}

bool is_intra(MPI_Comm comm) {
  int inter = 1;
  return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && inter == 0;
}

}  // namespace

bool taken(collective::kind what, form how, MPI_Comm comm) {
  const auto& wanted = selected();
  const bool asked = wanted.kinds[static_cast<std::size_t>(what)] && (how == form::blocking || wanted.nonblocking);
  if (running() && asked && is_intra(comm)) return true;
  count_passed(what, how);
  return false;
}

turn whose_turn(collective::kind what, MPI_Comm comm) {
  return selected().compared == comparing::none ? turn::ours : next_turn(what, comm);
}

int carry_out(const collective::call& what, bool timed) {
  try {
    const stopwatch watch(timed);
    const auto by = collective::run(what);
    if (selected().compared != comparing::none) {
      const bool mpi = by == "mpi";
      if (timed && !mpi) add_sample(what, false, watch.us());
      if (!mpi) count_size(what);
      remember_who_did(what.kind, what.comm, mpi);
    }
    count_replaced(what.kind, form::blocking, by);
    return MPI_SUCCESS;
  } catch (const std::exception& failure) {
    return collective::detail::give_to_handler(failure, what.comm);
  }
}

int set_off(const collective::call& what, MPI_Request& request) {
  try {
    const auto begun = collective::detail::begin_request(what);
    request = begun.request;
    count_replaced(what.kind, form::nonblocking, begun.implementation);
    return MPI_SUCCESS;
  } catch (const std::exception& failure) {
    return collective::detail::give_to_handler(failure, what.comm);
  }
}

prepared prepare(const collective::call& what, MPI_Request& request) {
  try {
    const auto made = collective::detail::make_persistent_request(what);
    count_replaced(what.kind, form::persistent, made.implementation);
    if (made.request == MPI_REQUEST_NULL) return {.is_mpis = true};
    request = made.request;
    return {};
  } catch (const std::exception& failure) {
    return {.code = collective::detail::give_to_handler(failure, what.comm)};
  }
}

}  // namespace wherry::preload
