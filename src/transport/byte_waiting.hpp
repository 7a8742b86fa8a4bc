// Waiting of a byte stream: for a condition, or for an MPI request that must not outlive its memory.
#pragma once

#include <mpi.h>

#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

#include "core/patience.hpp"

namespace wherry {

/// @param append_missing fills in the ranks waited for, for the error of a timeout
template <class Ready, class AppendMissing>
void wait_until(const communicator& comm, std::string_view where, Ready&& ready, AppendMissing&& append_missing) {
  if (ready()) return;
  patience wait(comm, where, "stream");
  do wait.pause(append_missing);
  while (!ready());
}

template <class Ready>
void wait_until(const communicator& comm, std::string_view where, Ready&& ready, int missing_rank) {
  wait_until(comm, where, std::forward<Ready>(ready), [missing_rank](std::vector<int>& missing) {
    if (missing_rank >= 0) missing.push_back(missing_rank);
  });
}

/// One request. Destroyed while under way, it is given up: only after an error, or at the end of MPI.
class pending_message {
 public:
  pending_message() = default;
  pending_message(pending_message&& other) noexcept
      : request_(std::exchange(other.request_, MPI_REQUEST_NULL)), receives_(other.receives_) {}
  pending_message& operator=(pending_message&& other) noexcept {
    std::swap(request_, other.request_);
    std::swap(receives_, other.receives_);
    return *this;
  }
  ~pending_message() {
    if (request_ == MPI_REQUEST_NULL || !mpi_is_running()) return;
    if (receives_) MPI_Cancel(&request_);
    MPI_Request_free(&request_);
  }

  void send(const communicator& comm, const void* from, std::size_t bytes, int to, int tag) {
    receives_ = false;
    check_mpi(MPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, to, tag, comm.handle(), &request_), "MPI_Isend");
  }
  void receive(const communicator& comm, void* into, std::size_t bytes, int from, int tag) {
    receives_ = true;
    check_mpi(MPI_Irecv(into, static_cast<int>(bytes), MPI_BYTE, from, tag, comm.handle(), &request_), "MPI_Irecv");
  }

  bool under_way() const { return request_ != MPI_REQUEST_NULL; }
  bool done(MPI_Status* status = MPI_STATUS_IGNORE) {
    if (request_ == MPI_REQUEST_NULL) return true;
    int complete = 0;
    check_mpi(MPI_Test(&request_, &complete, status), "MPI_Test");
    return complete != 0;
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
  bool receives_ = false;
};

}  // namespace wherry
