#include "messages.hpp"

#include <algorithm>
#include <cstring>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

namespace wherry::sparse {
namespace {

/// A first message is sent without asking the receiver by all MPIs that we know. Many ranks share less room.
constexpr std::size_t room_among_few = 4000, room_among_many = 992;
constexpr int few = 64;
constexpr std::size_t longest_piece = std::size_t{64} << 20;

std::size_t bytes_of_piece(std::size_t left) {
  return std::min({left, longest_piece, current_settings().message_limit});
}

/// Completes some requests. Returns true if all are complete; `complete(i)` is called for each that completes now.
template <class Complete>
bool complete_some(std::vector<MPI_Request>& requests, std::vector<int>& completed, Complete&& complete) {
  if (requests.empty()) return true;
  completed.resize(requests.size());
  int count = 0;
  check_mpi(
      PMPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count, completed.data(), MPI_STATUSES_IGNORE),
      "MPI_Testsome");
  if (count == MPI_UNDEFINED) return true;
  for (int i = 0; i < count; ++i) complete(static_cast<std::size_t>(completed[static_cast<std::size_t>(i)]));
  return std::ranges::all_of(requests, [](MPI_Request r) { return r == MPI_REQUEST_NULL; });
}

void append_ranks(const std::vector<MPI_Request>& requests, const std::vector<int>& of, std::vector<int>& ranks) {
  for (std::size_t i = 0; i < requests.size(); ++i)
    if (requests[i] != MPI_REQUEST_NULL) ranks.push_back(of[i]);
}

}  // namespace

std::size_t list_messages::room_of_first() const { return ranks_ <= few ? room_among_few : room_among_many; }

void list_messages::clear() {
  for (auto* const list : {&heads_, &bodies_, &sends_}) list->clear();
  coming_ = 0;
}

void list_messages::begin(const communicator& comm, int tag, std::span<const int> from) {
  comm_ = comm.private_handle();
  tag_ = tag;
  ranks_ = comm.size();
  from_.assign(from.begin(), from.end());
  has_come_.assign(from.size(), 0);
  clear();
  heads_.assign(from.size(), MPI_REQUEST_NULL);
  body_ranks_.clear();
  send_ranks_.clear();
  dropped_.clear();
  coming_ = from.size();
  firsts_.resize(from.size() * room_of_first());
  for (std::size_t i = 0; i < from.size(); ++i)
    check_mpi(
        PMPI_Irecv(first_message(i), static_cast<int>(room_of_first()), MPI_BYTE, from[i], tag, comm_, &heads_[i]),
        "MPI_Irecv");
}

void list_messages::send(int to, std::byte* list, const message_head& head) {
  std::memcpy(list, &head, sizeof head);
  const auto all = sizeof head + (head.bytes > 0 ? static_cast<std::size_t>(head.bytes) : 0);
  const auto first = std::min(all, room_of_first());
  send_piece(to, list, first);
  send_pieces(to, list, first, all);
}

void list_messages::send_piece(int to, const std::byte* from, std::size_t bytes) {
  sends_.push_back(MPI_REQUEST_NULL);
  send_ranks_.push_back(to);
  check_mpi(PMPI_Isend(from, static_cast<int>(bytes), MPI_BYTE, to, tag_, comm_, &sends_.back()), "MPI_Isend");
}

void list_messages::send_pieces(int to, const std::byte* elements, std::size_t have, std::size_t all) {
  while (have < all) {
    const auto bytes = bytes_of_piece(all - have);
    send_piece(to, elements + have, bytes);
    have += bytes;
  }
}

void list_messages::receive_pieces(int from, std::byte* to, std::size_t have, std::size_t all) {
  while (have < all) {
    const auto bytes = bytes_of_piece(all - have);
    bodies_.push_back(MPI_REQUEST_NULL);
    body_ranks_.push_back(from);
    check_mpi(PMPI_Irecv(to + have, static_cast<int>(bytes), MPI_BYTE, from, tag_, comm_, &bodies_.back()),
              "MPI_Irecv");
    have += bytes;
  }
}

void list_messages::drop_pieces(int from, std::size_t have, std::size_t all) {
  while (have < all) {
    const auto bytes = bytes_of_piece(all - have);
    dropped_.push_back({from, bytes});
    have += bytes;
  }
}

bool list_messages::heads_have_come() {
  if (coming_ == 0) return true;
  return complete_some(heads_, completed_, [this](std::size_t i) {
    has_come_[i] = 1;
    --coming_;
  });
}

const message_head* list_messages::head(std::size_t place) const {
  return has_come_[place] != 0 ? reinterpret_cast<const message_head*>(first_message(place)) : nullptr;
}

std::size_t list_messages::bytes_of(std::size_t place) const {
  return static_cast<std::size_t>(std::max<std::int64_t>(head(place)->bytes, 0));
}

void list_messages::receive(std::size_t place, std::byte* to) {
  const auto all = bytes_of(place), have = std::min(all, room_of_first() - sizeof(message_head));
  if (have > 0) std::memcpy(to, first_message(place) + sizeof(message_head), have);
  receive_pieces(from_[place], to, have, all);
}

void list_messages::drop(std::size_t place) {
  drop_pieces(from_[place], std::min(bytes_of(place), room_of_first() - sizeof(message_head)), bytes_of(place));
}

// One after the other, into the same memory.
void list_messages::receive_dropped() {
  if (dropped_.empty()) return;
  const auto [from, bytes] = dropped_.front();
  dropped_.erase(dropped_.begin());
  if (trash_.size() < bytes) trash_.resize(bytes);
  bodies_.assign(1, MPI_REQUEST_NULL);
  body_ranks_.assign(1, from);
  check_mpi(PMPI_Irecv(trash_.data(), static_cast<int>(bytes), MPI_BYTE, from, tag_, comm_, &bodies_[0]), "MPI_Irecv");
}

bool list_messages::received() {
  if (!complete_some(bodies_, completed_, [](std::size_t) {})) return false;
  if (dropped_.empty()) return true;
  receive_dropped();
  return false;
}

bool list_messages::sent() {
  return complete_some(sends_, completed_, [](std::size_t) {});
}

bool list_messages::under_way() const {
  const auto busy = [](MPI_Request r) { return r != MPI_REQUEST_NULL; };
  return std::ranges::any_of(heads_, busy) || std::ranges::any_of(bodies_, busy) || std::ranges::any_of(sends_, busy);
}

void list_messages::append_missing(std::vector<int>& ranks) const {
  append_ranks(heads_, from_, ranks);
  append_ranks(bodies_, body_ranks_, ranks);
  append_ranks(sends_, send_ranks_, ranks);
}

}  // namespace wherry::sparse
