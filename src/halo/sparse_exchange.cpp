#include "sparse_exchange.hpp"

#include <climits>

#include "wherry/core/mpi.hpp"

#include "transport/patience.hpp"

namespace wherry {
namespace {

void send_all(const communicator& comm, const bytes_by_peer& mine, int tag, std::string_view pattern,
              std::vector<MPI_Request>& sends) {
  for (const auto& [peer, bytes] : mine) {
    // A list of this size is a fault in the caller's figures; the abort that follows an uncaught error ends the job.
    if (bytes.size() > INT_MAX)
      throw error(error_kind::resource, pattern, text("more than 2 GiB of lists for rank ", peer), comm.rank(), {peer});
    check_mpi(MPI_Issend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, peer, tag, comm.handle(),
                         &sends.emplace_back()),
              "MPI_Issend");
  }
}

bool receive_one(const communicator& comm, int tag, bytes_by_peer& received) {
  int found = 0;
  MPI_Status status;
  check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, tag, comm.handle(), &found, &status), "MPI_Iprobe");
  if (found == 0) return false;
  int bytes = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
  auto& list = received[status.MPI_SOURCE];
  list.resize(static_cast<std::size_t>(bytes));
  check_mpi(MPI_Recv(list.data(), bytes, MPI_BYTE, status.MPI_SOURCE, tag, comm.handle(), MPI_STATUS_IGNORE),
            "MPI_Recv");
  return true;
}

}  // namespace

// Non-blocking consensus (Hoefler, Siebert, Lumsdaine 2010): synchronous sends to those I know, then a barrier that
// starts when mine have been received; when it ends nobody's are under way.
bytes_by_peer exchange_sparsely(const communicator& comm, const bytes_by_peer& mine, std::string_view pattern) {
  const int tag = comm.next_tag();
  std::vector<MPI_Request> sends;
  send_all(comm, mine, tag, pattern, sends);
  bytes_by_peer received;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool in_barrier = false;
  patience patient(comm, pattern, "resolve");
  for (;;) {
    if (receive_one(comm, tag, received)) continue;
    int done = 0;
    if (in_barrier) {
      check_mpi(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done != 0) return received;
    } else {
      check_mpi(MPI_Testall(static_cast<int>(sends.size()), sends.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
      if (done != 0) {
        check_mpi(MPI_Ibarrier(comm.handle(), &barrier), "MPI_Ibarrier");
        in_barrier = true;
      }
    }
    patient.pause([](std::vector<int>&) {});
  }
}

}  // namespace wherry
