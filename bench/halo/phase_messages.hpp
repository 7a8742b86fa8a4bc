/// @file
/// The messages of one dimension of an exchange dimension after dimension: both sides' boxes of all fields. Two
/// neighbours that are the same rank get one message. Peers that send dimension after dimension use it.
#pragma once

#include "halo/peers.hpp"

namespace bench::halo {

// begin: what a user writes
class phase_messages {
 public:
  phase_messages(const phase& boxes, int rank) : boxes_(boxes) {
    if (boxes.low == rank) return;  // copied directly
    out_.resize(2 * boxes.bytes);
    in_.resize(2 * boxes.bytes);
  }

  const phase& boxes() const { return boxes_; }
  bool within() const { return out_.empty(); }
  /// Outgoing data: first that for the rank above, then that for the rank below. Arriving data: first that from below,
  /// then that from above.
  char* out() { return out_.data(); }
  const char* in() const { return in_.data(); }
  int bytes() const { return static_cast<int>(boxes_.bytes); }

  void receive(MPI_Comm comm) {
    if (boxes_.low == boxes_.high) {
      MPI_Irecv(in_.data(), 2 * bytes(), MPI_BYTE, boxes_.low, 0, comm, &receives_[0]);
    } else {
      MPI_Irecv(in_.data(), bytes(), MPI_BYTE, boxes_.low, 1, comm, &receives_[0]);
      MPI_Irecv(in_.data() + bytes(), bytes(), MPI_BYTE, boxes_.high, 2, comm, &receives_[1]);
    }
  }
  /// Call these when the data for the rank above is packed, and when all data is packed.
  void send_up(MPI_Comm comm) {
    if (boxes_.low != boxes_.high) MPI_Isend(out_.data(), bytes(), MPI_BYTE, boxes_.high, 1, comm, &sends_[0]);
  }
  void send_rest(MPI_Comm comm) {
    if (boxes_.low == boxes_.high)
      MPI_Isend(out_.data(), 2 * bytes(), MPI_BYTE, boxes_.high, 0, comm, &sends_[0]);
    else
      MPI_Isend(out_.data() + bytes(), bytes(), MPI_BYTE, boxes_.low, 2, comm, &sends_[1]);
  }
  void wait_for_low() { MPI_Wait(&receives_[0], MPI_STATUS_IGNORE); }
  void wait_for_high() { MPI_Wait(&receives_[1], MPI_STATUS_IGNORE); }
  void wait_for_sends() { MPI_Waitall(2, sends_, MPI_STATUSES_IGNORE); }

 private:
  phase boxes_;
  std::vector<char> out_, in_;
  MPI_Request receives_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Request sends_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};
// end

}  // namespace bench::halo
