// C's calls that start or free persistent requests, because some of these requests are Wherry's; and MPI_Op_free,
// because Wherry may still use the operation.
#include <mpi.h>

#include <exception>

#include "wherry/collective/mpi_errors.hpp"
#include "wherry/collective/requests.hpp"

#include "signature.hpp"

using namespace wherry::preload;
namespace collective = wherry::collective;

namespace {

int start_one(MPI_Request* request) {
  static const auto behind = next("MPI_Start", PMPI_Start);
  if (request == nullptr || !collective::detail::is_persistent_request(*request)) return behind(request);
  return collective::detail::start_persistent(*request);
}

}  // namespace

extern "C" int MPI_Start(MPI_Request* request) { return start_one(request); }

extern "C" int MPI_Startall(int count, MPI_Request requests[]) {
  static const auto behind = next("MPI_Startall", PMPI_Startall);
  bool any = false;
  for (int i = 0; i < count && !any; ++i) any = collective::detail::is_persistent_request(requests[i]);
  if (!any) return behind(count, requests);
  for (int i = 0; i < count; ++i)
    if (const int code = start_one(requests + i); code != MPI_SUCCESS) return code;
  return MPI_SUCCESS;
}

extern "C" int MPI_Request_free(MPI_Request* request) {
  static const auto behind = next("MPI_Request_free", PMPI_Request_free);
  if (request == nullptr || !collective::detail::is_persistent_request(*request)) return behind(request);
  try {
    collective::detail::free_persistent(*request);
    return MPI_SUCCESS;
  } catch (const std::exception& failure) {
    return collective::detail::give_to_handler(failure, MPI_COMM_SELF);
  }
}

extern "C" int MPI_Op_free(MPI_Op* op) {
  static const auto behind = next("MPI_Op_free", PMPI_Op_free);
  return op != nullptr && collective::detail::free_when_unused(*op) ? MPI_SUCCESS : behind(op);
}
