// Before MPICH over UCX, when there are more ranks than cores: a rank that waits inside of MPI gives its core away
// whenever nothing has come. Open MPI does so by itself (mpi_yield_when_idle); MPICH 4 spins until its time slice ends,
// so that a barrier of 8 ranks on 2 cores takes tens of milliseconds. Loaded first (tools/launch
// --preload-when-crowded), or part of the tests where sanitizers must be first.
#include <dlfcn.h>
#include <sched.h>

extern "C" unsigned ucp_worker_progress(void* worker) {
  static const auto original = reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "ucp_worker_progress"));
  const unsigned came = original(worker);
  if (came == 0) sched_yield();
  return came;
}
