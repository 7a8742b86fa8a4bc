#include "tested_barrier.hpp"

#include "wherry/core/mpi.hpp"

namespace wherry {

// Only simulated barriers have messages of ours, which must not be taken for those of others.
tested_barrier::tested_barrier(const communicator& comm)
    : comm_(comm), tag_(ranks_share_a_process ? comm.next_tag() : 0) {}

void tested_barrier::enter() {
  entered_ = true;
  if constexpr (ranks_share_a_process)
    send_ahead();
  else
    check_mpi(MPI_Ibarrier(comm_.handle(), &requests_[0]), "MPI_Ibarrier");
}

// After rounds of distance 1, 2, 4... each rank has heard, by way of others, of all ranks.
void tested_barrier::send_ahead() {
  const int rank = comm_.rank(), size = comm_.size();
  if (distance_ >= size) return;
  const int after = (rank + distance_) % size, before = (rank + size - distance_) % size;
  check_mpi(MPI_Irecv(nullptr, 0, MPI_BYTE, before, tag_, comm_.handle(), &requests_[0]), "MPI_Irecv");
  check_mpi(MPI_Isend(nullptr, 0, MPI_BYTE, after, tag_, comm_.handle(), &requests_[1]), "MPI_Isend");
}

bool tested_barrier::ended() {
  int done = 0;
  if constexpr (!ranks_share_a_process) {
    check_mpi(MPI_Test(&requests_[0], &done, MPI_STATUS_IGNORE), "MPI_Test");
    return done != 0;
  }
  check_mpi(MPI_Testall(2, requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
  if (done == 0) return false;
  distance_ *= 2;
  if (distance_ >= comm_.size()) return true;
  send_ahead();
  return false;
}

}  // namespace wherry
