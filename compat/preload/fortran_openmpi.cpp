// The collectives that Fortran programs call with Open MPI: mpi_x_ through mpif.h and the module mpi, and ompi_x_f
// through mpi_f08.
#include <mpi.h>

#if defined(OPEN_MPI)

#include "fortran.hpp"
#include "table.hpp"

using namespace wherry::preload;
using wherry::collective::call;
using wherry::collective::kind;

// The other names of a procedure. Compilers that add a second underscore call mpi_x__.
#define WHERRY_FORTRAN_NAMES(prefix, name, parameters)                                  \
  extern "C" [[gnu::alias(#prefix "_" #name "_")]] void prefix##_##name##__ parameters; \
  extern "C" [[gnu::alias(#prefix "_" #name "_")]] void o##prefix##_##name##_f parameters

#define WHERRY_BLOCKING(Name, name, n, n1, n2)                                                       \
  extern "C" void mpi_##name##_(WHERRY_REFER_##n, void* error) {                                     \
    static const auto behind_us = fortran::behind<decltype(mpi_##name##_)>("mpi_" #name "_");        \
    fortran::blocking<decltype(PMPI_##Name)>(                                                        \
        kind::name, call::name, [&] { behind_us(WHERRY_PASS_##n, error); }, error, WHERRY_PASS_##n); \
  }                                                                                                  \
  WHERRY_FORTRAN_NAMES(mpi, name, (WHERRY_REFER_##n, void*))

#define WHERRY_NONBLOCKING(Name, name, n, n1, n2)                                                                      \
  extern "C" void mpi_i##name##_(WHERRY_REFER_##n, void* request, void* error) {                                       \
    static const auto behind_us = fortran::behind<decltype(mpi_i##name##_)>("mpi_i" #name "_");                        \
    fortran::nonblocking<decltype(PMPI_##Name)>(                                                                       \
        kind::name, call::name, [&] { behind_us(WHERRY_PASS_##n, request, error); }, request, error, WHERRY_PASS_##n); \
  }                                                                                                                    \
  WHERRY_FORTRAN_NAMES(mpi, i##name, (WHERRY_REFER_##n, void*, void*))

#define WHERRY_PERSISTENT_AS(prefix, Name, name, n)                                                               \
  extern "C" void prefix##_##name##_init_(WHERRY_REFER_##n, void* info, void* request, void* error) {             \
    static const auto behind_us = fortran::behind<decltype(prefix##_##name##_init_)>(#prefix "_" #name "_init_"); \
    fortran::persistent<decltype(PMPI_##Name)>(                                                                   \
        kind::name, call::name, [&] { behind_us(WHERRY_PASS_##n, info, request, error); }, request, error,        \
        WHERRY_PASS_##n);                                                                                         \
  }                                                                                                               \
  WHERRY_FORTRAN_NAMES(prefix, name##_init, (WHERRY_REFER_##n, void*, void*, void*))
#if defined(WHERRY_HAS_PERSISTENT_COLLECTIVES)
#define WHERRY_PERSISTENT(Name, name, n, n1, n2) WHERRY_PERSISTENT_AS(mpi, Name, name, n)
#else
#define WHERRY_PERSISTENT(Name, name, n, n1, n2) WHERRY_PERSISTENT_AS(mpix, Name, name, n)
#endif

WHERRY_COLLECTIVES(WHERRY_BLOCKING);
WHERRY_COLLECTIVES(WHERRY_NONBLOCKING);
WHERRY_COLLECTIVES(WHERRY_PERSISTENT);

#endif
