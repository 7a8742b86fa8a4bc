// C's calls that complete requests, and the calls between two ranks that wait.
#include <mpi.h>

#include "signature.hpp"
#include "waiting.hpp"

using namespace wherry::preload;
namespace collective = wherry::collective;

namespace {

/// The next function of this name, looked up once.
#define WHERRY_BEHIND(name)                         \
  [] {                                              \
    static const auto found = next(#name, P##name); \
    return found;                                   \
  }()

/// Completes a request, by MPI_Test, if beginning it has succeeded.
int finish(int begun, MPI_Request request, MPI_Status* status) {
  if (begun != MPI_SUCCESS) return begun;
  return until(
      [&](bool& done) {
        int flag = 0;
        const int code = WHERRY_BEHIND(MPI_Test)(&request, &flag, status);
        done = flag != 0;
        return code;
      },
      [&] { return WHERRY_BEHIND(MPI_Wait)(&request, status); });
}

}  // namespace

extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  return until(
      [&](bool& done) {
        int flag = 0;
        const int code = WHERRY_BEHIND(MPI_Test)(request, &flag, status);
        done = flag != 0;
        return code;
      },
      [&] { return WHERRY_BEHIND(MPI_Wait)(request, status); });
}

extern "C" int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  return until(
      [&](bool& done) {
        int flag = 0;
        const int code = WHERRY_BEHIND(MPI_Testall)(count, requests, &flag, statuses);
        done = flag != 0;
        return code;
      },
      [&] { return WHERRY_BEHIND(MPI_Waitall)(count, requests, statuses); });
}

extern "C" int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  return until(
      [&](bool& done) {
        int flag = 0;
        const int code = WHERRY_BEHIND(MPI_Testany)(count, requests, index, &flag, status);
        done = flag != 0;
        return code;
      },
      [&] { return WHERRY_BEHIND(MPI_Waitany)(count, requests, index, status); });
}

extern "C" int MPI_Waitsome(int count, MPI_Request requests[], int* done_count, int indices[], MPI_Status statuses[]) {
  return until(
      [&](bool& done) {
        const int code = WHERRY_BEHIND(MPI_Testsome)(count, requests, done_count, indices, statuses);
        done = *done_count != 0;
        return code;
      },
      [&] { return WHERRY_BEHIND(MPI_Waitsome)(count, requests, done_count, indices, statuses); });
}

extern "C" int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  return once([&] { return WHERRY_BEHIND(MPI_Test)(request, flag, status); });
}

extern "C" int MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  return once([&] { return WHERRY_BEHIND(MPI_Testall)(count, requests, flag, statuses); });
}

extern "C" int MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  return once([&] { return WHERRY_BEHIND(MPI_Testany)(count, requests, index, flag, status); });
}

extern "C" int MPI_Testsome(int count, MPI_Request requests[], int* done_count, int indices[], MPI_Status statuses[]) {
  return once([&] { return WHERRY_BEHIND(MPI_Testsome)(count, requests, done_count, indices, statuses); });
}

extern "C" int MPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  return once([&] { return WHERRY_BEHIND(MPI_Request_get_status)(request, flag, status); });
}

extern "C" int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                        MPI_Status* status) {
  if (!collective::detail::requests_in_flight())
    return WHERRY_BEHIND(MPI_Recv)(buffer, count, type, source, tag, comm, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const int begun = WHERRY_BEHIND(MPI_Irecv)(buffer, count, type, source, tag, comm, &request);
  return finish(begun, request, status);
}

#define WHERRY_SEND(name, begins)                                                                               \
  extern "C" int MPI_##name(const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) { \
    if (!collective::detail::requests_in_flight())                                                              \
      return WHERRY_BEHIND(MPI_##name)(buffer, count, type, to, tag, comm);                                     \
    MPI_Request request = MPI_REQUEST_NULL;                                                                     \
    const int begun = WHERRY_BEHIND(MPI_##begins)(buffer, count, type, to, tag, comm, &request);                \
    return finish(begun, request, MPI_STATUS_IGNORE);                                                           \
  }                                                                                                             \
  static_assert(true)

WHERRY_SEND(Send, Isend);
WHERRY_SEND(Ssend, Issend);
WHERRY_SEND(Rsend, Irsend);

extern "C" int MPI_Sendrecv(const void* send, int send_count, MPI_Datatype send_type, int to, int send_tag,
                            void* receive, int receive_count, MPI_Datatype receive_type, int source, int receive_tag,
                            MPI_Comm comm, MPI_Status* status) {
  if (!collective::detail::requests_in_flight())
    return WHERRY_BEHIND(MPI_Sendrecv)(send, send_count, send_type, to, send_tag, receive, receive_count, receive_type,
                                       source, receive_tag, comm, status);
  MPI_Request receiving = MPI_REQUEST_NULL, sending = MPI_REQUEST_NULL;
  int begun = WHERRY_BEHIND(MPI_Irecv)(receive, receive_count, receive_type, source, receive_tag, comm, &receiving);
  if (begun != MPI_SUCCESS) return begun;
  begun = WHERRY_BEHIND(MPI_Isend)(send, send_count, send_type, to, send_tag, comm, &sending);
  const int received = finish(begun, receiving, status);
  return received != MPI_SUCCESS ? received : finish(begun, sending, MPI_STATUS_IGNORE);
}

extern "C" int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return until(
      [&](bool& done) {
        int flag = 0;
        const int code = WHERRY_BEHIND(MPI_Iprobe)(source, tag, comm, &flag, status);
        done = flag != 0;
        return code;
      },
      [&] { return WHERRY_BEHIND(MPI_Probe)(source, tag, comm, status); });
}

extern "C" int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return until(
      [&](bool& done) {
        int flag = 0;
        const int code = WHERRY_BEHIND(MPI_Improbe)(source, tag, comm, &flag, message, status);
        done = flag != 0;
        return code;
      },
      [&] { return WHERRY_BEHIND(MPI_Mprobe)(source, tag, comm, message, status); });
}
