// One MPI message under way.
#pragma once

#include <mpi.h>

#include <utility>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry {

/// One request. Its memory must stay until it is done: an object that owns both is abandoned to the graveyard, and not
/// destroyed.
class pending_message {
 public:
  pending_message() = default;
  pending_message(pending_message&& other) noexcept : request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
  pending_message& operator=(pending_message&& other) noexcept {
    std::swap(request_, other.request_);
    return *this;
  }

  void send(const communicator& comm, const void* from, std::size_t bytes, int to, int tag) {
    check_mpi(PMPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, to, tag, comm.private_handle(), &request_),
              "MPI_Isend");
  }
  void receive(const communicator& comm, void* into, std::size_t bytes, int from, int tag) {
    check_mpi(PMPI_Irecv(into, static_cast<int>(bytes), MPI_BYTE, from, tag, comm.private_handle(), &request_),
              "MPI_Irecv");
  }

  bool under_way() const { return request_ != MPI_REQUEST_NULL; }
  bool done(MPI_Status* status = MPI_STATUS_IGNORE) {
    if (request_ == MPI_REQUEST_NULL) return true;
    int complete = 0;
    check_mpi(PMPI_Test(&request_, &complete, status), "MPI_Test");
    return complete != 0;
  }
  /// Cancels a receive whose message has not come. Once `done`, `was_cancelled` says if that was in time.
  void cancel() { check_mpi(PMPI_Cancel(&request_), "MPI_Cancel"); }
  static bool was_cancelled(const MPI_Status& status) {
    int cancelled = 0;
    check_mpi(PMPI_Test_cancelled(&status, &cancelled), "MPI_Test_cancelled");
    return cancelled != 0;
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace wherry
