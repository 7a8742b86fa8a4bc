/// @file
/// Requests, and calls that wait for them. A request that is complete becomes null. No call is collective.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "mel/call.hpp"

namespace MEL {

/// The outcome of a message, a read or a write.
using Status = MPI_Status;

/// An MPI_Request as a class of its own.
class Request : public detail::handle_of<Request, MPI_Request> {
 public:
  static const Request REQUEST_NULL;

  Request() : handle_of(MPI_REQUEST_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
};
inline const Request Request::REQUEST_NULL{};

namespace detail {

/// The request that an MPI call returns through its last argument.
template <class... Parameters, class... Args>
Request begin(std::string_view where, int (*mpi)(Parameters...), const Args&... args) {
  return Request(answer<MPI_Request>(where, mpi, args...));
}

using some_of_mpi = int (*)(int, MPI_Request*, int*, int*, MPI_Status*);

/// The indices of the requests that were completed.
inline std::vector<int> some(std::string_view where, some_of_mpi mpi, Request* requests, int count) {
  std::vector<int> indices(static_cast<std::size_t>(std::max(count, 0)));
  int completed = 0;
  call(where, mpi, count, handles<MPI_Request>(requests), &completed, indices.data(), MPI_STATUSES_IGNORE);
  indices.resize(completed == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(completed));
  return indices;
}
inline int length(const std::vector<Request>& requests) { return static_cast<int>(requests.size()); }

}  // namespace detail

inline Status Wait(Request& request) {
  return detail::answer<Status>("MEL::Wait", MPI_Wait, detail::handles<MPI_Request>(&request));
}
/// True if the request is complete.
inline bool Test(Request& request) {
  int completed = 0;
  detail::call("MEL::Test", MPI_Test, detail::handles<MPI_Request>(&request), &completed, MPI_STATUS_IGNORE);
  return completed != 0;
}

inline void Waitall(Request* requests, int count) {
  detail::call("MEL::Waitall", MPI_Waitall, count, detail::handles<MPI_Request>(requests), MPI_STATUSES_IGNORE);
}
inline void Waitall(std::vector<Request>& requests) { Waitall(requests.data(), detail::length(requests)); }
/// True if all requests are complete.
inline bool Testall(Request* requests, int count) {
  int completed = 0;
  detail::call("MEL::Testall", MPI_Testall, count, detail::handles<MPI_Request>(requests), &completed,
               MPI_STATUSES_IGNORE);
  return completed != 0;
}
inline bool Testall(std::vector<Request>& requests) { return Testall(requests.data(), detail::length(requests)); }

/// Waits for one request and returns its index; MPI_UNDEFINED if none is active.
inline int Waitany(Request* requests, int count) {
  int index = MPI_UNDEFINED;
  detail::call("MEL::Waitany", MPI_Waitany, count, detail::handles<MPI_Request>(requests), &index, MPI_STATUS_IGNORE);
  return index;
}
inline int Waitany(std::vector<Request>& requests) { return Waitany(requests.data(), detail::length(requests)); }
/// Returns true and the index of a request, if one is complete.
inline std::pair<bool, int> Testany(Request* requests, int count) {
  int index = MPI_UNDEFINED, completed = 0;
  detail::call("MEL::Testany", MPI_Testany, count, detail::handles<MPI_Request>(requests), &index, &completed,
               MPI_STATUS_IGNORE);
  return {completed != 0, index};
}
inline std::pair<bool, int> Testany(std::vector<Request>& requests) {
  return Testany(requests.data(), detail::length(requests));
}

/// Waits until at least one active request is complete, and returns the indices of all that are.
inline std::vector<int> Waitsome(Request* requests, int count) {
  return detail::some("MEL::Waitsome", MPI_Waitsome, requests, count);
}
inline std::vector<int> Waitsome(std::vector<Request>& requests) {
  return Waitsome(requests.data(), detail::length(requests));
}
/// Returns the indices of the requests that are complete, without waiting.
inline std::vector<int> Testsome(Request* requests, int count) {
  return detail::some("MEL::Testsome", MPI_Testsome, requests, count);
}
inline std::vector<int> Testsome(std::vector<Request>& requests) {
  return Testsome(requests.data(), detail::length(requests));
}

}  // namespace MEL
