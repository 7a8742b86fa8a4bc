#include "bind_mail.hpp"

#include <utility>

#include "wherry/core/mpi.hpp"

#include "core/collective.hpp"

namespace wherry {
namespace {

constexpr std::size_t most = std::size_t{1} << 30;  // MPI counts in ints

}  // namespace

bind_mail::~bind_mail() {
  for (auto& l : letters_)
    if (l.request != MPI_REQUEST_NULL) new letter(std::move(l));
}

void bind_mail::send_bytes(int peer, std::span<const std::byte> bytes) {
  if (bytes.size() > most) {
    send_bytes(peer, bytes.first(most));
    return send_bytes(peer, bytes.subspan(most));
  }
  auto& l = letters_.emplace_back();
  l.bytes.assign(bytes.begin(), bytes.end());
  check_mpi(PMPI_Isend(l.bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, peer, tag_, comm_.private_handle(),
                       &l.request),
            "MPI_Isend");
}

// The receive is called only when the message is there, so that no error can leave MPI with the caller's memory.
void bind_mail::receive_bytes(int peer, std::span<std::byte> bytes) const {
  if (bytes.size() > most) {
    receive_bytes(peer, bytes.first(most));
    return receive_bytes(peer, bytes.subspan(most));
  }
  patience patient(comm_, plan_.pattern, "bind");
  for (;;) {
    int found = 0;
    check_mpi(PMPI_Iprobe(peer, tag_, comm_.private_handle(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (found != 0) break;
    patient.pause([peer](std::vector<int>& missing) { missing.push_back(peer); });
  }
  check_mpi(PMPI_Recv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, peer, tag_, comm_.private_handle(),
                      MPI_STATUS_IGNORE),
            "MPI_Recv");
}

void bind_mail::finish() {
  for (auto& l : letters_) patient::complete(comm_, plan_.pattern, l.request);
  letters_.clear();
}

}  // namespace wherry
