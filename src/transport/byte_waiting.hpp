// Waiting of a byte stream: for a condition, or for an MPI request that must not outlive its memory.
#pragma once

#include <mpi.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/core/mpi.hpp"

#include "companions.hpp"
#include "core/patience.hpp"
#include "stream_log.hpp"

namespace wherry {

/// @param append_missing fills in the ranks waited for, for the error of a timeout
template <class Ready, class AppendMissing>
void wait_until(const communicator& comm, std::string_view where, Ready&& ready, AppendMissing&& append_missing) {
  if (ready()) return;
  const stream_wait measured(where, comm);
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

/// One request. Its memory must stay until it is done: what owns both is abandoned to the graveyard, not destroyed.
class pending_message {
 public:
  pending_message() = default;
  pending_message(pending_message&& other) noexcept : request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
  pending_message& operator=(pending_message&& other) noexcept {
    std::swap(request_, other.request_);
    return *this;
  }

  void send(const communicator& comm, const void* from, std::size_t bytes, int to, int tag) {
    check_mpi(PMPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, to, tag, comm.handle(), &request_), "MPI_Isend");
  }
  void receive(const communicator& comm, void* into, std::size_t bytes, int from, int tag) {
    check_mpi(PMPI_Irecv(into, static_cast<int>(bytes), MPI_BYTE, from, tag, comm.handle(), &request_), "MPI_Irecv");
  }

  bool under_way() const { return request_ != MPI_REQUEST_NULL; }
  bool done(MPI_Status* status = MPI_STATUS_IGNORE) {
    if (request_ == MPI_REQUEST_NULL) return true;
    int complete = 0;
    check_mpi(PMPI_Test(&request_, &complete, status), "MPI_Test");
    return complete != 0;
  }
  /// Takes back a receive whose message has not come. Once `done`, `was_cancelled` says whether it was in time.
  void cancel() { check_mpi(PMPI_Cancel(&request_), "MPI_Cancel"); }
  static bool was_cancelled(const MPI_Status& status) {
    int cancelled = 0;
    check_mpi(PMPI_Test_cancelled(&status, &cancelled), "MPI_Test_cancelled");
    return cancelled != 0;
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

/// Owns work that is driven by its owner, and by the graveyard when the owner is gone before its end. `Work` is
/// `progressive`, and has `let_go()`, after which it ends by itself; true: it is at its end.
template <class Work> class abandonable {
 public:
  explicit abandonable(std::unique_ptr<Work> work) : work_(std::move(work)) {}
  abandonable(abandonable&&) noexcept = default;
  abandonable& operator=(abandonable&&) = delete;
  ~abandonable() {
    if (work_ && !mpi_has_ended() && !work_->let_go()) companions::adopt(std::move(work_));
  }
  Work* operator->() const { return work_.get(); }

 private:
  std::unique_ptr<Work> work_;
};

}  // namespace wherry
