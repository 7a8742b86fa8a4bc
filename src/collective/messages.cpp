#include "messages.hpp"

#include <algorithm>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

namespace wherry::collective {

template <class Post> void stage_messages::post(std::int64_t bytes, int peer, bool even_empty, Post&& post_part) {
  const auto limit = static_cast<std::int64_t>(current_settings().message_limit);
  for (std::int64_t at = 0; at < bytes || (bytes == 0 && even_empty && at == 0); at += limit) {
    requests_.push_back(MPI_REQUEST_NULL);
    peers_.push_back(peer);
    post_part(at, static_cast<int>(std::min(limit, bytes - at)), requests_.back());
  }
}

void stage_messages::receive(std::byte* into, std::int64_t bytes, int peer, bool even_empty) {
  post(bytes, peer, even_empty, [&](std::int64_t at, int now, MPI_Request& request) {
    check_mpi(PMPI_Irecv(into + at, now, MPI_BYTE, peer, tag_, comm_, &request), "MPI_Irecv");
  });
}

void stage_messages::send(const std::byte* from, std::int64_t bytes, int peer, bool even_empty) {
  post(bytes, peer, even_empty, [&](std::int64_t at, int now, MPI_Request& request) {
    check_mpi(PMPI_Isend(from + at, now, MPI_BYTE, peer, tag_, comm_, &request), "MPI_Isend");
  });
}

void stage_messages::send_head(const std::byte* from, std::int64_t bytes, int peer) {
  requests_.push_back(MPI_REQUEST_NULL);
  peers_.push_back(peer);
  check_mpi(PMPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, peer, tag_, comm_, &requests_.back()), "MPI_Isend");
}

std::size_t stage_messages::receive_head(std::byte* into, std::int64_t most, int peer) {
  requests_.push_back(MPI_REQUEST_NULL);
  peers_.push_back(peer);
  check_mpi(PMPI_Irecv(into, static_cast<int>(most), MPI_BYTE, peer, tag_, comm_, &requests_.back()), "MPI_Irecv");
  return requests_.size() - 1;
}

bool stage_messages::is_there(std::size_t number) const {
  const auto request = requests_[number];
  int complete = 0;
  return request == MPI_REQUEST_NULL ||
         (PMPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && complete != 0);
}

bool stage_messages::done() {
  if (requests_.empty()) return true;
  int all = 0;
  check_mpi(PMPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE),
            "MPI_Testall");
  if (all == 0) return false;
  requests_.clear();
  peers_.clear();
  return true;
}

void stage_messages::append_missing(std::vector<int>& ranks) const {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    if (requests_[i] == MPI_REQUEST_NULL) continue;
    int complete = 0;
    if (PMPI_Request_get_status(requests_[i], &complete, MPI_STATUS_IGNORE) == MPI_SUCCESS && complete == 0)
      ranks.push_back(peers_[i]);
  }
}

void stage_messages::cancel() noexcept {
  for (auto& request : requests_)
    if (request != MPI_REQUEST_NULL) PMPI_Cancel(&request);
}

}  // namespace wherry::collective
