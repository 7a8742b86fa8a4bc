#include "operations.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/mpi_errors.hpp"
#include "wherry/collective/operation.hpp"
#include "wherry/collective/requests.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "build.hpp"

namespace wherry::crestacoll {
namespace {

using collective::call;
using collective::kind;
using collective::kinds;

/// One line, where the build asks for what is not there: MPI does it then, but not silently.
void say_absent(kind what, std::string_view implementation) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  const auto line = text("crestacoll: there is no implementation '", implementation, "' here: MPI does ",
                         collective::name_of(what), "\n");
  std::fputs(line.c_str(), stderr);
}

bool is_there(std::string_view name) {
  const auto all = collective::implementations_there_are();
  return std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

std::string_view there(kind what, std::string_view wanted) {
  if (is_there(wanted)) return wanted;
  say_absent(what, wanted);
  return "mpi";
}

/// What the build has chosen, as far as it is there; looked up at the first call of its kind.
std::string_view implementation(kind what) {
  static std::array<std::atomic<const char*>, kinds> known{};
  auto& place = known[static_cast<std::size_t>(what)];
  const char* name = place.load(std::memory_order_acquire);
  if (name == nullptr) {
    name = there(what, implementation_of(what)).data();  // a literal
    place.store(name, std::memory_order_release);
  }
  return name;
}

/// Runs it, and gives MPI's status.
template <class Body> int with_handler(MPI_Comm comm, Body body) {
  try {
    body();
    return MPI_SUCCESS;
  } catch (const std::exception& failure) {
    return collective::give_to_handler(failure, comm);
  }
}

void must_be_intra(MPI_Comm comm, const char* where) {
  int inter = 0;
  if (comm == MPI_COMM_NULL) throw error(error_kind::argument, where, "'comm' is MPI_COMM_NULL");
  PMPI_Comm_test_inter(comm, &inter);
  if (inter != 0) throw error(error_kind::argument, where, "'comm' is an intercommunicator");
}

/// Whose error handler is called: that of a communicator that is one.
MPI_Comm handler_of(MPI_Comm comm) { return comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm; }

}  // namespace

int run(const call& what) {
  return with_handler(handler_of(what.comm), [&] {
    must_be_intra(what.comm, name_of(what.kind).data());
    collective::run(what, implementation(what.kind));
  });
}

int begin(const call& what, MPI_Request* request) {
  return with_handler(handler_of(what.comm), [&] {
    must_be_intra(what.comm, name_of(what.kind).data());
    if (request == nullptr) throw error(error_kind::argument, name_of(what.kind), "'request' is null");
    const auto chosen = implementation(what.kind);
    collective::begin_options options;
    options.implementation = chosen == "mpi" ? "nonblocking" : chosen;
    options.protected_buffer = protects_buffers() && what.kind != kind::bcast;
    *request = collective::begin_request(what, options).request;
  });
}

int end(int count, MPI_Request requests[]) {
  if (count < 0 || (count > 0 && requests == nullptr))
    return with_handler(MPI_COMM_WORLD, [&] {
      throw error(error_kind::argument, "CRESTA_Coll_end",
                  count < 0 ? text("'count' is ", count) : std::string("'requests' is null"));
    });
  for (int polls = 0;; ++polls) {
    collective::proceed_with_requests();
    int done = 0;
    const int status = PMPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
    if (status != MPI_SUCCESS || done != 0) return status;
    if (polls > current_settings().spin) std::this_thread::yield();
  }
}

int start_windows(MPI_Comm comm) {
  return with_handler(handler_of(comm), [&] {
    must_be_intra(comm, "CRESTA_Win_init");
    if (static_window_elements() == 0 || !is_there("one_sided")) return;
    // Wherry keeps a communicator's windows from call to call: the first call of the largest size makes them.
    std::vector<double> largest(static_cast<std::size_t>(static_window_elements()));
    const auto first = call::bcast(largest.data(), static_window_elements(), MPI_DOUBLE, 0, comm);
    collective::run(first, "one_sided");
  });
}

}  // namespace wherry::crestacoll
