/// @file
/// Communicators. The caller frees each communicator from these calls with CommFree. Calls are local unless they say
/// otherwise.
#pragma once

#include <mpi.h>

#include <string_view>
#include <utility>

#include "mel/call.hpp"
#include "mel/error.hpp"
#include "mel/group.hpp"
#include "mel/request.hpp"

namespace MEL {

inline constexpr int PROC_NULL = MPI_PROC_NULL, ANY_SOURCE = MPI_ANY_SOURCE, ANY_TAG = MPI_ANY_TAG;

/// An MPI_Comm as a class of its own, which does not own the communicator.
///
/// Deep sends inside a node go through shared memory once Wherry has made its own communicator for this one: `Init`
/// makes it for `WORLD`, `Prepare` for any other, and so does the first broadcast of a deep structure. Do not make it
/// while a send is in flight.
class Comm : public detail::handle_of<Comm, MPI_Comm> {
 public:
  static const Comm WORLD, SELF, COMM_NULL;

  Comm() : handle_of(MPI_COMM_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
};

inline const Comm Comm::WORLD{MPI_COMM_WORLD};
inline const Comm Comm::SELF{MPI_COMM_SELF};
inline const Comm Comm::COMM_NULL{};

inline int CommRank(const Comm& comm) { return detail::answer<int>("MEL::CommRank", MPI_Comm_rank, comm); }
inline int CommSize(const Comm& comm) { return detail::answer<int>("MEL::CommSize", MPI_Comm_size, comm); }
/// The number of processes in the remote group of an intercommunicator.
inline int CommRemoteSize(const Comm& comm) {
  return detail::answer<int>("MEL::CommRemoteSize", MPI_Comm_remote_size, comm);
}
inline bool CommIsNULL(const Comm& comm) { return comm == Comm::COMM_NULL; }

namespace detail {

/// Gives a new communicator the error handler of its parent: MPI has copied the one that was set during the call.
inline Comm made_from(const Comm& parent, MPI_Comm made) {
  if (made == MPI_COMM_NULL) return Comm();
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (MPI_Comm_get_errhandler(parent, &handler) == MPI_SUCCESS) {
    MPI_Comm_set_errhandler(made, handler);
    MPI_Errhandler_free(&handler);
  }
  return Comm(made);
}

}  // namespace detail

/// Makes a communicator of the ranks with the same colour, in the order of their ranks. Collective over `comm`.
inline Comm CommSplit(const Comm& comm, int colour) {
  return detail::made_from(comm, detail::answer<MPI_Comm>("MEL::CommSplit", MPI_Comm_split, comm, colour, 0));
}
/// Collective.
/// Duplicates a communicator. Collective over `comm`.
inline Comm CommDuplicate(const Comm& comm) {
  return detail::made_from(comm, detail::answer<MPI_Comm>("MEL::CommDuplicate", MPI_Comm_dup, comm));
}
/// Begins to duplicate a communicator, which may be used once the request is complete. Collective over `comm`. The new
/// communicator gets the error handler at once, so that an error of this call itself goes to the handler of `comm`.
inline Comm CommIduplicate(const Comm& comm, Request& request) {
  constexpr std::string_view where = "MEL::CommIduplicate";
  if (comm == Comm::COMM_NULL) detail::refuse(where, "'comm' is COMM_NULL");
  MPI_Comm made = MPI_COMM_NULL;
  wherry::check_mpi(MPI_Comm_idup(comm, &made, detail::handles<MPI_Request>(&request)), where);
  if (made == MPI_COMM_NULL) Wait(request);  // an MPI may write the handle only then
  return Comm(made);
}
inline std::pair<Comm, Request> CommIduplicate(const Comm& comm) {
  Request request;
  const Comm made = CommIduplicate(comm, request);
  return {made, request};
}

inline Group CommGetGroup(const Comm& comm) {
  return Group(detail::answer<MPI_Group>("MEL::CommGetGroup", MPI_Comm_group, comm));
}
/// Makes a communicator of a group. Collective over `comm`; null on a rank outside the group.
inline Comm CommCreateFromGroup(const Comm& comm, const Group& group) {
  return detail::made_from(comm, detail::answer<MPI_Comm>("MEL::CommCreateFromGroup", MPI_Comm_create, comm, group));
}
/// Makes a communicator of a group. Collective over the group only.
inline Comm CommCreateFromGroup(const Comm& comm, const Group& group, int tag) {
  return detail::made_from(
      comm, detail::answer<MPI_Comm>("MEL::CommCreateFromGroup", MPI_Comm_create_group, comm, group, tag));
}

/// Frees communicators and sets them to null. Null is allowed. Collective over each of them.
template <detail::one_or_several<Comm>... Comms> void CommFree(Comms&... comms) {
  (detail::give_back("MEL::CommFree", MPI_Comm_free, comms), ...);
}

inline ErrorHandler CommCreateErrorHandler(ErrorHandlerFunc function) {
  return ErrorHandler(
      detail::answer<MPI_Errhandler>("MEL::CommCreateErrorHandler", MPI_Comm_create_errhandler, function));
}
inline ErrorHandler CommGetErrorHandler(const Comm& comm) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (comm == Comm::COMM_NULL) detail::refuse("MEL::CommGetErrorHandler", "'comm' is COMM_NULL");
  wherry::check_mpi(MPI_Comm_get_errhandler(comm, &handler), "MEL::CommGetErrorHandler");
  return ErrorHandler(handler);
}
inline void CommSetErrorHandler(const Comm& comm, const ErrorHandler& handler) {
  if (comm == Comm::COMM_NULL) detail::refuse("MEL::CommSetErrorHandler", "'comm' is COMM_NULL");
  wherry::check_mpi(MPI_Comm_set_errhandler(comm, handler), "MEL::CommSetErrorHandler");
}
inline void CommSetErrorHandler(const Comm& comm, ErrorHandlerFunc function) {
  detail::set_handler<Comm>(function, CommCreateErrorHandler, CommSetErrorHandler, comm);
}

/// Waits until all ranks of `comm` have come. Collective; so is `Ibarrier`, which begins the same and does not wait.
inline void Barrier(const Comm& comm) { detail::call("MEL::Barrier", MPI_Barrier, comm); }
inline Request Ibarrier(const Comm& comm) { return detail::begin("MEL::Ibarrier", MPI_Ibarrier, comm); }
inline void Ibarrier(const Comm& comm, Request& request) { request = Ibarrier(comm); }

}  // namespace MEL
