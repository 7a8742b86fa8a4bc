// CRESTA's names, in C and for the Fortran modules. Their argument types are those of MPI's functions.
#include <mpi.h>

#include <vector>

#include "cresta_sp_coll.h"
#include "crestacoll.h"
#include "operations.hpp"
#include "preload/fortran_arguments.hpp"
#include "preload/table.hpp"

using wherry::collective::call;
using namespace wherry::crestacoll;
namespace fortran = wherry::preload::fortran;

/// row(MPI's name, the kind, its number of arguments)
#define WHERRY_CRESTA(row)                \
  row(Bcast, bcast, 5);                   \
  row(Gather, gather, 8);                 \
  row(Gatherv, gatherv, 9);               \
  row(Scatter, scatter, 8);               \
  row(Scatterv, scatterv, 9);             \
  row(Reduce, reduce, 7);                 \
  row(Allgather, allgather, 7);           \
  row(Allgatherv, allgatherv, 8);         \
  row(Allreduce, allreduce, 6);           \
  row(Reduce_scatter, reduce_scatter, 6); \
  row(Alltoall, alltoall, 7);             \
  row(Alltoallv, alltoallv, 9)

#define WHERRY_IN_C(Name, name, n)                                                                       \
  int CRESTA_##Name(WHERRY_TAKE_##n(decltype(PMPI_##Name))) { return run(call::name(WHERRY_PASS_##n)); } \
  int CRESTA_##Name##_begin(WHERRY_TAKE_##n(decltype(PMPI_##Name)), MPI_Request* request) {              \
    return begin(call::name(WHERRY_PASS_##n), request);                                                  \
  }                                                                                                      \
  static_assert(true)

#define WHERRY_IN_FORTRAN(Name, name, n)                                                                   \
  extern "C" void cresta_##name##_f(WHERRY_REFER_##n, void* error) {                                       \
    fortran::give(run(fortran::converted<decltype(PMPI_##Name)>(call::name, {}, WHERRY_PASS_##n)), error); \
  }                                                                                                        \
  extern "C" void cresta_##name##_begin_f(WHERRY_REFER_##n, MPI_Fint* request, void* error) {              \
    MPI_Request begun = MPI_REQUEST_NULL;                                                                  \
    const auto what = fortran::converted<decltype(PMPI_##Name)>(call::name, {}, WHERRY_PASS_##n);          \
    fortran::give(begin(what, &begun), error);                                                             \
    *request = PMPI_Request_c2f(begun);                                                                    \
  }                                                                                                        \
  static_assert(true)

extern "C" {
WHERRY_CRESTA(WHERRY_IN_C);

int CRESTA_Coll_end(int count, MPI_Request requests[]) { return end(count, requests); }
int CRESTA_Win_init(MPI_Comm comm) { return start_windows(comm); }
int CRESTA_Win_finalize() { return end_windows(); }
}

WHERRY_CRESTA(WHERRY_IN_FORTRAN);

extern "C" void cresta_coll_end_f(const MPI_Fint* count, const MPI_Fint* requests, void* error) {
  std::vector<MPI_Request> list;
  for (int i = 0; i < *count; ++i) list.push_back(PMPI_Request_f2c(requests[i]));
  fortran::give(end(*count, list.data()), error);
}
extern "C" void cresta_coll_end_one_f(const MPI_Fint* count, const MPI_Fint* request, void* error) {
  cresta_coll_end_f(count, request, error);
}
extern "C" void cresta_win_init_f(const MPI_Fint* comm, void* error) {
  fortran::give(CRESTA_Win_init(PMPI_Comm_f2c(*comm)), error);
}
extern "C" void cresta_win_finalize_f(void* error) { fortran::give(CRESTA_Win_finalize(), error); }
