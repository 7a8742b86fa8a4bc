#include "consensus_mail.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "communicator_attribute.hpp"

namespace wherry {
namespace {

struct envelope {
  std::uint64_t number = 0;
  consensus_letter::kind what = consensus_letter::kind::here;
  char where[52] = "";
};

bool has_left(MPI_Request& request) {
  int done = 0;
  check_mpi(PMPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  return done != 0;
}

}  // namespace

consensus_mail& consensus_mail::of(const communicator& comm) {
  const MPI_Comm handle = comm.private_handle();
  using attribute = communicator_attribute<consensus_mail>;
  if (auto* kept = attribute::find(handle)) return *kept;
  // The numbers begin with a tag, which distinguishes these letters from those of earlier communicators.
  const auto numbers_before = static_cast<std::uint64_t>(comm.next_tag()) << 32;
  return attribute::set(handle, std::make_unique<consensus_mail>(handle, numbers_before));
}

// Letters that have not left yet belong to MPI for as long as the job lives.
consensus_mail::~consensus_mail() {
  for (auto& s : outbox_) static_cast<void>(s.bytes.release());
}

std::uint64_t consensus_mail::open_some(std::uint64_t count) {
  const std::lock_guard lock(guard_);
  for (std::uint64_t i = 0; i < count; ++i) open_.push_back(++number_);
  return number_ - count + 1;
}

void consensus_mail::close_some(std::uint64_t first, std::uint64_t count) {
  const std::lock_guard lock(guard_);
  std::erase_if(open_, [&](std::uint64_t number) { return first <= number && number < first + count; });
}

void consensus_mail::send(int to, consensus_letter::kind what, std::uint64_t number, std::string_view where,
                          const std::vector<std::byte>& body) {
  const std::lock_guard lock(guard_);
  post(to, what, number, where, body);
}

void consensus_mail::post(int to, consensus_letter::kind what, std::uint64_t number, std::string_view where,
                          const std::vector<std::byte>& body) {
  envelope head{number, what};
  static_assert(sizeof head.where == 52);
  shortened(where).copy(head.where, sizeof head.where - 1);
  const auto bytes = sizeof head + body.size();
  auto& s = outbox_.emplace_back(MPI_REQUEST_NULL, std::unique_ptr<std::byte[]>(new std::byte[bytes]));
  std::memcpy(s.bytes.get(), &head, sizeof head);
  std::copy(body.begin(), body.end(), s.bytes.get() + sizeof head);
  check_mpi(PMPI_Isend(s.bytes.get(), static_cast<int>(bytes), MPI_BYTE, to, tag, comm_, &s.request), "MPI_Isend");
  if (has_left(s.request)) outbox_.pop_back();
}

bool consensus_mail::all_sent() {
  const std::lock_guard lock(guard_);
  return outbox_is_empty();
}

bool consensus_mail::outbox_is_empty() {
  std::erase_if(outbox_, [](sent& s) { return has_left(s.request); });
  return outbox_.empty();
}

void consensus_mail::receive_all() {
  for (;;) {
    int found = 0, bytes = 0;
    MPI_Status status;
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm_, &found, &status), "MPI_Iprobe");
    if (found == 0) return;
    check_mpi(PMPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    std::vector<std::byte> wire(static_cast<std::size_t>(bytes));
    check_mpi(PMPI_Recv(wire.data(), bytes, MPI_BYTE, status.MPI_SOURCE, tag, comm_, MPI_STATUS_IGNORE), "MPI_Recv");
    envelope head;
    std::memcpy(&head, wire.data(), sizeof head);
    wire.erase(wire.begin(), wire.begin() + sizeof head);
    inbox_.push_back({head.what, status.MPI_SOURCE, head.number, head.where, std::move(wire)});
  }
}

std::vector<consensus_letter> consensus_mail::take(std::uint64_t number) {
  const std::lock_guard lock(guard_);
  receive_all();
  outbox_is_empty();
  std::vector<consensus_letter> result, later;
  for (auto& l : inbox_) {
    if (l.number == number)
      result.push_back(std::move(l));
    else if (l.number > number_ || std::binary_search(open_.begin(), open_.end(), l.number))
      later.push_back(std::move(l));
    else if (l.what == consensus_letter::kind::roll_call)  // a rank that has passed the place was there
      post(l.from, consensus_letter::kind::here, l.number, l.where, {});
  }
  inbox_ = std::move(later);
  return result;
}

}  // namespace wherry
