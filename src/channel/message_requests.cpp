#include "message_requests.hpp"

#include <sched.h>

#include <algorithm>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

namespace wherry {

bool is_incomplete(MPI_Request request) {
  int complete = 0;
  check_mpi(PMPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE), "MPI_Request_get_status");
  return complete == 0;
}

void message_requests::clear() {
  requests_.clear();
  peers_.clear();
  is_receive_.clear();
}

void message_requests::receive(void* into, int count, MPI_Datatype type, int peer) {
  peers_.push_back(peer);
  is_receive_.push_back(1);
  check_mpi(PMPI_Irecv(into, count, type, peer, tag_, comm_, &requests_.emplace_back(MPI_REQUEST_NULL)), "MPI_Irecv");
}

void message_requests::send(const void* from, int count, MPI_Datatype type, int peer) {
  peers_.push_back(peer);
  is_receive_.push_back(0);
  check_mpi(PMPI_Isend(from, count, type, peer, tag_, comm_, &requests_.emplace_back(MPI_REQUEST_NULL)), "MPI_Isend");
}

bool message_requests::done() {
  if (requests_.empty()) return true;
  int complete = 0;
  check_mpi(PMPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE),
            "MPI_Testall");
  if (complete != 0) clear();
  return complete != 0;
}

void message_requests::end(bool receives, std::string_view where, double seconds, std::vector<std::size_t>& cancelled) {
  const auto ended = [&](std::size_t i) {
    MPI_Status status;
    int complete = 0, was_cancelled = 0;
    check_mpi(PMPI_Test(&requests_[i], &complete, &status), "MPI_Test");
    if (complete == 0) return false;
    if (receives) check_mpi(PMPI_Test_cancelled(&status, &was_cancelled), "MPI_Test_cancelled");
    if (was_cancelled != 0) cancelled.push_back(i);
    return true;
  };
  std::vector<std::size_t> pending;
  for (std::size_t i = 0; i < requests_.size(); ++i)
    if ((is_receive_[i] != 0) == receives && requests_[i] != MPI_REQUEST_NULL) pending.push_back(i);
  const double began = PMPI_Wtime();
  while (std::erase_if(pending, ended), !pending.empty()) {
    const int peer = peers_[pending.front()];
    if (PMPI_Wtime() - began > seconds)
      throw error(error_kind::timeout, where,
                  detail::text("MPI still uses the fields of an abandoned exchange: rank ", peer,
                               " has not started it for ", seconds, " s more"),
                  -1, {peer});
    sched_yield();
  }
}

void message_requests::withdraw(std::string_view where, double seconds,
                                const std::function<destination(std::size_t)>& elsewhere) {
  for (std::size_t i = 0; i < requests_.size(); ++i)
    if (is_receive_[i] != 0 && requests_[i] != MPI_REQUEST_NULL) check_mpi(PMPI_Cancel(&requests_[i]), "MPI_Cancel");
  std::vector<std::size_t> cancelled;
  end(true, where, seconds, cancelled);
  std::sort(cancelled.begin(), cancelled.end());
  for (const auto i : cancelled) {
    const auto [into, count, type] = elsewhere(i);
    check_mpi(PMPI_Irecv(into, count, type, peers_[i], tag_, comm_, &requests_[i]), "MPI_Irecv");
  }
  // Only now: the peer may be withdrawing as well, and may wait for the receives that were just posted.
  end(false, where, seconds, cancelled);
}

void message_requests::append_missing(std::vector<int>& peers) const {
  for (std::size_t i = 0; i < requests_.size(); ++i)
    if (is_incomplete(requests_[i])) peers.push_back(peers_[i]);
}

}  // namespace wherry
