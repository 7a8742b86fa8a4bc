#include "operations.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/memory.hpp"
#include "wherry/collective/mpi_errors.hpp"
#include "wherry/collective/requests.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "build.hpp"

namespace wherry::crestacoll {
namespace {

using collective::call;
using collective::kind;
using collective::kinds;

/// The (4 + 4 + 8) N bytes of CRESTA: N elements of each of its three types. Here there are two slots for each pair of
/// ranks, with as many bytes together.
std::int64_t bytes_of(std::int64_t elements) { return 16 * elements; }

/// Prints one line for each collective for which the build asks for coarrays that are absent, because another
/// implementation should not run silently.
void say_absent(const call& what, std::string_view instead) {
  static std::array<std::atomic<bool>, kinds> said{};
  if (said[static_cast<std::size_t>(what.kind)].exchange(true)) return;
  int rank = 0;
  PMPI_Comm_rank(what.comm, &rank);
  if (rank != 0) return;
  const auto line = detail::text("crestacoll: no coarrays for ", collective::name_of(what.kind), ", but '", instead,
                                 "': ", collective::obstacle(what, "coarray"), "\n");
  std::fputs(line.c_str(), stderr);
}

/// The implementation that the build has chosen, or its replacement.
std::string_view implementation(const call& what) {
  const auto wanted = implementation_of(what.kind);
  if (wanted != "coarray") return wanted;
  collective::make_ready(what.comm, wanted, bytes_of(static_coarray_elements()));
  if (collective::obstacle(what, wanted).empty()) return wanted;
  say_absent(what, "pgas");
  return "pgas";
}

/// Communicators with windows from CRESTA_Win_init that have not been freed.
struct with_windows {
  std::mutex guard;
  std::vector<MPI_Comm> list;

  void forget(MPI_Comm comm) {
    const std::lock_guard lock(guard);
    std::erase(list, comm);
  }
};
with_windows& all_with_windows() {
  static auto* const all = new with_windows;
  return *all;
}

int forget_freed(MPI_Comm comm, int, void*, void*) {
  all_with_windows().forget(comm);
  return MPI_SUCCESS;
}

void remember(MPI_Comm comm) {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_freed, &made, nullptr), "MPI_Comm_create_keyval");
    return made;
  }();
  // Removes an older entry of this communicator.
  check_mpi(PMPI_Comm_set_attr(comm, key, nullptr), "MPI_Comm_set_attr");
  const std::lock_guard lock(all_with_windows().guard);
  all_with_windows().list.push_back(comm);
}

/// Runs `body` and returns MPI's status.
template <class Body> int with_handler(MPI_Comm comm, Body body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (const std::exception& failure) {
    return collective::detail::give_to_handler(failure, comm);
  }
}

void must_be_intra(MPI_Comm comm, const char* where) {
  int inter = 0;
  if (comm == MPI_COMM_NULL) throw error(error_kind::argument, where, "'comm' is MPI_COMM_NULL");
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0)
    throw error(error_kind::argument, where, "'comm' is an inter-communicator, expected an intra-communicator");
}

/// The communicator with the error handler to call, for any argument.
MPI_Comm handler_of(MPI_Comm comm) { return comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm; }

}  // namespace

int run(const call& what) {
  return with_handler(handler_of(what.comm), [&] {
    must_be_intra(what.comm, name_of(what.kind).data());
    collective::run(what, implementation(what));
  });
}

int begin(const call& what, MPI_Request* request) {
  return with_handler(handler_of(what.comm), [&] {
    must_be_intra(what.comm, name_of(what.kind).data());
    if (request == nullptr) throw error(error_kind::argument, name_of(what.kind), "'request' is null");
    const auto chosen = implementation(what);
    collective::start_options options;
    options.implementation = chosen == "mpi" ? "nonblocking" : chosen;
    options.protected_buffer = protects_buffers() && what.kind != kind::bcast;
    *request = collective::detail::begin_request(what, options).request;
  });
}

int end(int count, MPI_Request requests[]) {
  if (count < 0 || (count > 0 && requests == nullptr))
    return with_handler(MPI_COMM_WORLD, [&] {
      throw error(
          error_kind::argument, "CRESTA_Coll_end",
          count < 0 ? detail::text("'count' is ", count, ", expected 0 or more") : std::string("'requests' is null"));
    });
  collective::detail::wait_for_requests wait;
  for (;;) {
    wait.proceed();
    int done = 0;
    const int status = PMPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
    if (status != MPI_SUCCESS || done != 0) return status;
  }
}

int start_windows(MPI_Comm comm) {
  return with_handler(handler_of(comm), [&] {
    must_be_intra(comm, "CRESTA_Win_init");
    if (static_window_elements() == 0) return;
    collective::give_back(comm, "one_sided");
    collective::make_ready(comm, "one_sided", bytes_of(static_window_elements()));
    remember(comm);
  });
}

int end_windows() {
  return with_handler(MPI_COMM_WORLD, [&] {
    for (;;) {
      MPI_Comm comm = MPI_COMM_NULL;
      {
        const std::lock_guard lock(all_with_windows().guard);
        if (all_with_windows().list.empty()) return;
        comm = all_with_windows().list.back();
        all_with_windows().list.pop_back();
      }
      collective::give_back(comm, "one_sided");
    }
  });
}

}  // namespace wherry::crestacoll
