#include "sparse_exchange.hpp"

#include <memory>
#include <span>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "consensus.hpp"

namespace wherry {

void consensus_sends::begin(MPI_Comm comm, int tag, std::size_t at_once) {
  comm_ = comm;
  tag_ = tag;
  at_once_ = at_once;
  lists_.clear();
  requests_.clear();
  list_of_slot_.clear();
}

void consensus_sends::add(int peer, std::span<const std::byte> bytes) {
  lists_.push_back({peer, bytes});
  int under_way = 0;
  do {
    requests_.push_back(MPI_REQUEST_NULL);
    list_of_slot_.push_back(lists_.size() - 1);
    send_piece(requests_.size() - 1);
  } while (!lists_.back().rest.empty() && ++under_way < most_under_way);
}

void consensus_sends::send_piece(std::size_t slot) {
  auto& [peer, rest] = lists_[list_of_slot_[slot]];
  const auto piece = rest.first(std::min(rest.size(), at_once_));
  check_mpi(PMPI_Issend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, peer, tag_, comm_, &requests_[slot]),
            "MPI_Issend");
  rest = rest.subspan(piece.size());
}

bool consensus_sends::received() {
  if (requests_.empty()) return true;
  received_.resize(requests_.size());
  int count = 0;
  check_mpi(PMPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, received_.data(),
                          MPI_STATUSES_IGNORE),
            "MPI_Testsome");
  if (count == MPI_UNDEFINED) return true;
  for (int i = 0; i < count; ++i) {
    const auto slot = static_cast<std::size_t>(received_[static_cast<std::size_t>(i)]);
    if (!lists_[list_of_slot_[slot]].rest.empty()) send_piece(slot);
  }
  return !under_way();
}

bool consensus_sends::under_way() const {
  return std::ranges::any_of(requests_, [](MPI_Request r) { return r != MPI_REQUEST_NULL; });
}

void consensus_sends::append_missing(std::vector<int>& ranks) const {
  for (std::size_t slot = 0; slot < requests_.size(); ++slot)
    if (requests_[slot] != MPI_REQUEST_NULL) ranks.push_back(lists_[list_of_slot_[slot]].peer);
}

bool receive_piece(MPI_Comm comm, int tag, bytes_by_peer& received) {
  int found = 0;
  MPI_Status status;
  check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm, &found, &status), "MPI_Iprobe");
  if (found == 0) return false;
  int bytes = 0;
  check_mpi(PMPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  auto& list = received[status.MPI_SOURCE];  // the pieces of one list arrive in order
  const auto before = list.size();
  list.resize(before + static_cast<std::size_t>(bytes));
  check_mpi(PMPI_Recv(list.data() + before, bytes, MPI_BYTE, status.MPI_SOURCE, tag, comm, MPI_STATUS_IGNORE),
            "MPI_Recv");
  return true;
}

namespace {

/// The sends of one call, and the bytes that MPI reads for them.
struct outgoing {
  bytes_by_peer bytes;
  consensus_sends sends;
};

// MPI may read the bytes of unfinished sends for as long as the job lives, so they are not freed then.
struct leave_to_mpi {
  void operator()(outgoing* left) const {
    if (!left->sends.under_way()) delete left;
  }
};

}  // namespace

bytes_by_peer exchange_sparsely(const communicator& comm, bytes_by_peer mine, std::string_view pattern,
                                std::size_t at_once) {
  const int tag = comm.next_tag();
  const std::unique_ptr<outgoing, leave_to_mpi> out(new outgoing{std::move(mine), {}});
  consensus all(comm, pattern);
  out->sends.begin(comm.private_handle(), tag, at_once);
  for (const auto& [peer, bytes] : out->bytes) out->sends.add(peer, bytes);
  bytes_by_peer received;
  for (;;) {
    if (receive_piece(comm.private_handle(), tag, received)) continue;
    if (all.test()) return received;
    if (!all.entered() && out->sends.received()) all.enter({}, [](std::span<std::byte>, std::span<const std::byte>) {});
    all.pause();
  }
}

}  // namespace wherry
