// Waiting for MPI in tests: like MPI's own, but a rank that waits for long leaves its core to those that do something.
#pragma once

#include <mpi.h>
#include <sched.h>

#include <chrono>
#include <thread>

namespace wherry_test {

/// @param look called now and then with the time waited so far; may throw or not return
template <class Look> void patient_wait(MPI_Request& request, Look look) {
#if !defined(SMPI_H)  // under a simulator nothing comes to pass meanwhile
  constexpr auto worth_a_core = std::chrono::milliseconds(1);
#endif
  const auto began = std::chrono::steady_clock::now();
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    const auto waited = std::chrono::steady_clock::now() - began;
    look(waited);
#if !defined(SMPI_H)
    if (waited > worth_a_core) std::this_thread::sleep_for(std::chrono::microseconds(100));
#endif
    sched_yield();
  }
}

inline void patient_wait(MPI_Request& request) {
  patient_wait(request, [](auto) {});
}

inline void patient_barrier(MPI_Comm comm) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(comm, &request);
  patient_wait(request);
}

}  // namespace wherry_test
