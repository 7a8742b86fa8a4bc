#include "message_requests.hpp"

#include "wherry/core/mpi.hpp"

namespace wherry {

bool is_incomplete(MPI_Request request) {
  int complete = 0;
  check_mpi(MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE), "MPI_Request_get_status");
  return complete == 0;
}

message_requests::~message_requests() {
  if (requests_.empty() || !mpi_is_running()) return;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    if (is_receive_[i] != 0) MPI_Cancel(&requests_[i]);
    MPI_Request_free(&requests_[i]);
  }
}

void message_requests::clear() {
  requests_.clear();
  peers_.clear();
  is_receive_.clear();
}

void message_requests::receive(void* into, int count, MPI_Datatype type, int peer) {
  peers_.push_back(peer);
  is_receive_.push_back(1);
  check_mpi(MPI_Irecv(into, count, type, peer, tag_, comm_, &requests_.emplace_back(MPI_REQUEST_NULL)), "MPI_Irecv");
}

void message_requests::send(const void* from, int count, MPI_Datatype type, int peer) {
  peers_.push_back(peer);
  is_receive_.push_back(0);
  check_mpi(MPI_Isend(from, count, type, peer, tag_, comm_, &requests_.emplace_back(MPI_REQUEST_NULL)), "MPI_Isend");
}

bool message_requests::done() {
  if (requests_.empty()) return true;
  int complete = 0;
  check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &complete, MPI_STATUSES_IGNORE),
            "MPI_Testall");
  if (complete != 0) clear();
  return complete != 0;
}

void message_requests::append_missing(std::vector<int>& peers) const {
  for (std::size_t i = 0; i < requests_.size(); ++i)
    if (is_incomplete(requests_[i])) peers.push_back(peers_[i]);
}

}  // namespace wherry
