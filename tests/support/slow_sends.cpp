#include "support/slow_sends.hpp"

#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>

#include <atomic>

namespace wherry_test {
namespace {

std::atomic<int> delay{0};

}  // namespace

slow_sends::slow_sends(int microseconds) { delay = microseconds; }
slow_sends::~slow_sends() { delay = 0; }

}  // namespace wherry_test

// The library calls MPI by these names, and a program's own definition comes before MPI's.
extern "C" int PMPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
                          MPI_Request* request) {
  static const auto of_mpi = reinterpret_cast<decltype(&PMPI_Isend)>(dlsym(RTLD_NEXT, "PMPI_Isend"));
  const int status = of_mpi(data, count, type, to, tag, comm, request);
  if (const int microseconds = wherry_test::delay; microseconds > 0) usleep(static_cast<useconds_t>(microseconds));
  return status;
}
