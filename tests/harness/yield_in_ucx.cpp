// Before MPICH over UCX, when there are more ranks than cores: a rank that waits inside of MPI gives its core away
// whenever nothing has come. Open MPI does so by itself (mpi_yield_when_idle); MPICH 4 spins until its time slice ends,
// so that a barrier of 8 ranks on 2 cores takes tens of milliseconds. Loaded first (tools/launch
// --preload-when-crowded), or part of the tests where sanitizers must be first.
#include <dlfcn.h>
#include <sched.h>

namespace {

using progress = unsigned (*)(void*);

progress find_original() {
  constexpr auto name = "ucp_worker_progress";
  if (void* const next = dlsym(RTLD_NEXT, name)) return reinterpret_cast<progress>(next);
  // An interpreter loads MPI's libraries late, and for one module of its own: those are not among the next.
  void* const library = dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD);
  return reinterpret_cast<progress>(dlsym(library, name));
}

}  // namespace

extern "C" unsigned ucp_worker_progress(void* worker) {
  static const progress original = find_original();
  const unsigned came = original(worker);
  if (came == 0) sched_yield();
  return came;
}
