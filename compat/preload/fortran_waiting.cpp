// The calls of c_waiting.cpp for Fortran. Open MPI needs them, because its Fortran procedures call PMPI_X, as do those
// of MPICH's mpi_f08 that have no buffer. The next procedure gets the program's own arguments, so that handles,
// statuses and logicals stay Fortran's.
#include <mpi.h>

#if defined(OPEN_MPI) || defined(MPICH_VERSION)

#include "fortran.hpp"
#include "waiting.hpp"

using namespace wherry::preload;
namespace collective = wherry::collective;

#if defined(OPEN_MPI)
#define WHERRY_NAME(name) mpi_##name##_
#define WHERRY_STRING(name) "mpi_" #name "_"
#define WHERRY_OTHER_NAMES(name) \
  extern "C" [[gnu::alias("mpi_" #name "_")]] decltype(mpi_##name##_) mpi_##name##__, ompi_##name##_f
#else
#define WHERRY_NAME(name) mpi_##name##_f08_
#define WHERRY_STRING(name) "mpi_" #name "_f08_"
#define WHERRY_OTHER_NAMES(name) static_assert(true)
#endif

namespace {

/// Calls a procedure. Returns MPI's status, and also writes it to `error` if the program wants it.
template <class... Addresses> int call(void* procedure, void* error, Addresses... addresses) {
  MPI_Fint status = MPI_SUCCESS;
  reinterpret_cast<void (*)(Addresses..., void*)>(procedure)(addresses..., static_cast<void*>(&status));
  fortran::give(status, error);
  return status;
}

#define WHERRY_CALL_AS(name, error, ...)                                                   \
  call(                                                                                    \
      [] {                                                                                 \
        static void* const found = reinterpret_cast<void*>(fortran::behind<void()>(name)); \
        return found;                                                                      \
      }(),                                                                                 \
      error, __VA_ARGS__)
#define WHERRY_CALL(name, error, ...) WHERRY_CALL_AS(WHERRY_STRING(name), error, __VA_ARGS__)

/// A logical or an integer in Fortran's form.
struct word {
  MPI_Fint value = 0;
  void* address() { return &value; }
};

}  // namespace

#define WHERRY_TEST_AS(procedure, parameters, ...)                                             \
  extern "C" void procedure parameters {                                                       \
    if (collective::detail::requests_in_flight()) collective::detail::proceed_with_requests(); \
    WHERRY_CALL_AS(#procedure, error, __VA_ARGS__);                                            \
    collective::detail::see_ended_requests();                                                  \
  }                                                                                            \
  static_assert(true)

#if defined(OPEN_MPI)  // Open MPI's mpi_f08 calls pmpi_x_ for procedures with logicals
#define WHERRY_TEST(name, parameters, ...)                    \
  WHERRY_TEST_AS(mpi_##name##_, parameters, __VA_ARGS__);     \
  WHERRY_TEST_AS(mpi_##name##_f08_, parameters, __VA_ARGS__); \
  WHERRY_OTHER_NAMES(name)
#else
#define WHERRY_TEST(name, parameters, ...) WHERRY_TEST_AS(mpi_##name##_f08_, parameters, __VA_ARGS__)
#endif

WHERRY_TEST(test, (void* request, void* flag, void* status, void* error), request, flag, status);
WHERRY_TEST(testall, (void* count, void* requests, void* flag, void* statuses, void* error), count, requests, flag,
            statuses);
WHERRY_TEST(testany, (void* count, void* requests, void* index, void* flag, void* status, void* error), count, requests,
            index, flag, status);
WHERRY_TEST(testsome, (void* count, void* requests, void* done_count, void* indices, void* statuses, void* error),
            count, requests, done_count, indices, statuses);
WHERRY_TEST(request_get_status, (void* request, void* flag, void* status, void* error), request, flag, status);

extern "C" void WHERRY_NAME(wait)(void* request, void* status, void* error) {
  until(
      [&](bool& done) {
        word flag;
        const int code = WHERRY_CALL(test, error, request, flag.address(), status);
        done = flag.value != 0;
        return code;
      },
      [&] { return WHERRY_CALL(wait, error, request, status); });
}
WHERRY_OTHER_NAMES(wait);

extern "C" void WHERRY_NAME(waitall)(void* count, void* requests, void* statuses, void* error) {
  until(
      [&](bool& done) {
        word flag;
        const int code = WHERRY_CALL(testall, error, count, requests, flag.address(), statuses);
        done = flag.value != 0;
        return code;
      },
      [&] { return WHERRY_CALL(waitall, error, count, requests, statuses); });
}
WHERRY_OTHER_NAMES(waitall);

extern "C" void WHERRY_NAME(waitany)(void* count, void* requests, void* index, void* status, void* error) {
  until(
      [&](bool& done) {
        word flag;
        const int code = WHERRY_CALL(testany, error, count, requests, index, flag.address(), status);
        done = flag.value != 0;
        return code;
      },
      [&] { return WHERRY_CALL(waitany, error, count, requests, index, status); });
}
WHERRY_OTHER_NAMES(waitany);

extern "C" void WHERRY_NAME(waitsome)(void* count, void* requests, void* done_count, void* indices, void* statuses,
                                      void* error) {
  until(
      [&](bool& done) {
        const int code = WHERRY_CALL(testsome, error, count, requests, done_count, indices, statuses);
        done = fortran::integer(done_count) != 0;
        return code;
      },
      [&] { return WHERRY_CALL(waitsome, error, count, requests, done_count, indices, statuses); });
}
WHERRY_OTHER_NAMES(waitsome);

extern "C" void WHERRY_NAME(probe)(void* source, void* tag, void* comm, void* status, void* error) {
  until(
      [&](bool& done) {
        word flag;
        const int code = WHERRY_CALL(iprobe, error, source, tag, comm, flag.address(), status);
        done = flag.value != 0;
        return code;
      },
      [&] { return WHERRY_CALL(probe, error, source, tag, comm, status); });
}
WHERRY_OTHER_NAMES(probe);

extern "C" void WHERRY_NAME(mprobe)(void* source, void* tag, void* comm, void* message, void* status, void* error) {
  until(
      [&](bool& done) {
        word flag;
        const int code = WHERRY_CALL(improbe, error, source, tag, comm, flag.address(), message, status);
        done = flag.value != 0;
        return code;
      },
      [&] { return WHERRY_CALL(mprobe, error, source, tag, comm, message, status); });
}
WHERRY_OTHER_NAMES(mprobe);

#if defined(OPEN_MPI)

namespace {

/// Completes a request, if beginning it has succeeded. `status` and `error` are the program's own arguments.
int finish(int begun, word request, void* status, void* error) {
  if (begun != MPI_SUCCESS) return begun;
  return until(
      [&](bool& done) {
        word flag;
        const int code = WHERRY_CALL(test, error, request.address(), flag.address(), status);
        done = flag.value != 0;
        return code;
      },
      [&] { return WHERRY_CALL(wait, error, request.address(), status); });
}

/// Completes a send. Its status is not needed.
int finish(int begun, word request, void* error) {
  MPI_Fint status[sizeof(MPI_Status) / sizeof(MPI_Fint)];
  return finish(begun, request, static_cast<void*>(status), error);
}

}  // namespace

extern "C" void mpi_recv_(void* buffer, void* count, void* type, void* source, void* tag, void* comm, void* status,
                          void* error) {
  if (!collective::detail::requests_in_flight()) {
    WHERRY_CALL(recv, error, buffer, count, type, source, tag, comm, status);
    return;
  }
  word request;
  const int begun = WHERRY_CALL(irecv, error, buffer, count, type, source, tag, comm, request.address());
  finish(begun, request, status, error);
}
WHERRY_OTHER_NAMES(recv);

#define WHERRY_SEND(name, begins)                                                                                      \
  extern "C" void mpi_##name##_(void* buffer, void* count, void* type, void* to, void* tag, void* comm, void* error) { \
    if (!collective::detail::requests_in_flight()) {                                                                   \
      WHERRY_CALL(name, error, buffer, count, type, to, tag, comm);                                                    \
      return;                                                                                                          \
    }                                                                                                                  \
    word request;                                                                                                      \
    const int begun = WHERRY_CALL(begins, error, buffer, count, type, to, tag, comm, request.address());               \
    finish(begun, request, error);                                                                                     \
  }                                                                                                                    \
  WHERRY_OTHER_NAMES(name)

WHERRY_SEND(send, isend);
WHERRY_SEND(ssend, issend);
WHERRY_SEND(rsend, irsend);

extern "C" void mpi_sendrecv_(void* send, void* send_count, void* send_type, void* to, void* send_tag, void* receive,
                              void* receive_count, void* receive_type, void* source, void* receive_tag, void* comm,
                              void* status, void* error) {
  if (!collective::detail::requests_in_flight()) {
    WHERRY_CALL(sendrecv, error, send, send_count, send_type, to, send_tag, receive, receive_count, receive_type,
                source, receive_tag, comm, status);
    return;
  }
  word receiving, sending;
  int begun =
      WHERRY_CALL(irecv, error, receive, receive_count, receive_type, source, receive_tag, comm, receiving.address());
  if (begun == MPI_SUCCESS)
    begun = WHERRY_CALL(isend, error, send, send_count, send_type, to, send_tag, comm, sending.address());
  if (finish(begun, receiving, status, error) == MPI_SUCCESS) finish(MPI_SUCCESS, sending, error);
}
WHERRY_OTHER_NAMES(sendrecv);

#endif
#endif
