// The collectives that C programs call, and Fortran programs with MPICH.
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>  // MPI 4's persistent collectives, under other names
#endif

#include <tuple>

#include "replacement.hpp"
#include "requests.hpp"
#include "signature.hpp"
#include "table.hpp"

using namespace wherry::preload;
using wherry::collective::call;
using wherry::collective::kind;

namespace {

/// The last argument: the communicator, for the arguments of a blocking collective.
template <class... Arguments> auto last(const Arguments&... arguments) {
  return std::get<sizeof...(arguments) - 1>(std::tie(arguments...));
}

}  // namespace

#define WHERRY_BLOCKING(Name, name, n, n1, n2)                                          \
  extern "C" int MPI_##Name(WHERRY_TAKE_##n(decltype(PMPI_##Name))) {                   \
    static const auto behind = next("MPI_" #Name, PMPI_##Name);                         \
    return blocking(                                                                    \
        kind::name, last(WHERRY_PASS_##n), [&] { return call::name(WHERRY_PASS_##n); }, \
        [&] { return behind(WHERRY_PASS_##n); });                                       \
  }                                                                                     \
  static_assert(signature<decltype(PMPI_##Name)>::count == n)

#define WHERRY_NONBLOCKING(Name, name, n, n1, n2)                                                               \
  extern "C" int MPI_I##name(WHERRY_TAKE_##n1(decltype(PMPI_I##name))) {                                        \
    static const auto behind = next("MPI_I" #name, PMPI_I##name);                                               \
    return nonblocking(                                                                                         \
        kind::name, last(WHERRY_PASS_##n), last(WHERRY_PASS_##n1), [&] { return call::name(WHERRY_PASS_##n); }, \
        [&] { return behind(WHERRY_PASS_##n1); });                                                              \
  }                                                                                                             \
  static_assert(signature<decltype(PMPI_I##name)>::count == n1)

#define WHERRY_PERSISTENT_AS(prefix, Name, name, suffix, n, n2)                                                 \
  extern "C" int prefix##_##Name##_##suffix(WHERRY_TAKE_##n2(decltype(P##prefix##_##Name##_##suffix))) {        \
    static const auto behind = next(#prefix "_" #Name "_" #suffix, P##prefix##_##Name##_##suffix);              \
    return persistent(                                                                                          \
        kind::name, last(WHERRY_PASS_##n), last(WHERRY_PASS_##n2), [&] { return call::name(WHERRY_PASS_##n); }, \
        [&] { return behind(WHERRY_PASS_##n2); });                                                              \
  }                                                                                                             \
  static_assert(signature<decltype(P##prefix##_##Name##_##suffix)>::count == n2)

WHERRY_COLLECTIVES(WHERRY_BLOCKING);
WHERRY_COLLECTIVES(WHERRY_NONBLOCKING);

#if defined(WHERRY_HAS_PERSISTENT_COLLECTIVES)
#define WHERRY_PERSISTENT(Name, name, n, n1, n2) WHERRY_PERSISTENT_AS(MPI, Name, name, init, n, n2)
WHERRY_COLLECTIVES(WHERRY_PERSISTENT);
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define WHERRY_PERSISTENT(Name, name, n, n1, n2) WHERRY_PERSISTENT_AS(MPIX, Name, name, init, n, n2)
WHERRY_COLLECTIVES(WHERRY_PERSISTENT);
#endif

#if MPI_VERSION >= 4

#define WHERRY_LARGE(Name, name, n, n1, n2)                                                                     \
  extern "C" int MPI_##Name##_c(WHERRY_TAKE_##n(decltype(PMPI_##Name##_c))) {                                   \
    static const auto behind = next("MPI_" #Name "_c", PMPI_##Name##_c);                                        \
    return blocking(                                                                                            \
        kind::name, last(WHERRY_PASS_##n), [&] { return call::name(WHERRY_PASS_##n); },                         \
        [&] { return behind(WHERRY_PASS_##n); });                                                               \
  }                                                                                                             \
  extern "C" int MPI_I##name##_c(WHERRY_TAKE_##n1(decltype(PMPI_I##name##_c))) {                                \
    static const auto behind = next("MPI_I" #name "_c", PMPI_I##name##_c);                                      \
    return nonblocking(                                                                                         \
        kind::name, last(WHERRY_PASS_##n), last(WHERRY_PASS_##n1), [&] { return call::name(WHERRY_PASS_##n); }, \
        [&] { return behind(WHERRY_PASS_##n1); });                                                              \
  }                                                                                                             \
  static_assert(signature<decltype(PMPI_I##name##_c)>::count == n1)

#define WHERRY_LARGE_PERSISTENT(Name, name, n, n1, n2) WHERRY_PERSISTENT_AS(MPI, Name, name, init_c, n, n2)

WHERRY_LARGE_COLLECTIVES(WHERRY_LARGE);
WHERRY_LARGE_COLLECTIVES(WHERRY_LARGE_PERSISTENT);

#endif
