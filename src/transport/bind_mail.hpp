// What two ranks tell each other when an exchange is bound; both know that they do, and how much.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Messages with the exchange's own tag, which are over before it starts. Waits with patience.
class bind_mail {
 public:
  explicit bind_mail(const bind_request& request) : comm_(request.comm), plan_(request.plan), tag_(request.tag) {}
  bind_mail(const bind_mail&) = delete;
  bind_mail& operator=(const bind_mail&) = delete;
  /// What has not left yet is left to MPI.
  ~bind_mail();

  template <class T> void send(int peer, const T* list, std::size_t count) {
    send_bytes(peer, std::as_bytes(std::span(list, count)));
  }
  template <class T> void receive(int peer, T* list, std::size_t count) const {
    receive_bytes(peer, std::as_writable_bytes(std::span(list, count)));
  }
  /// Returns when all has left.
  void finish();

 private:
  struct letter {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void send_bytes(int peer, std::span<const std::byte> bytes);
  void receive_bytes(int peer, std::span<std::byte> bytes) const;

  const communicator& comm_;
  const schedule& plan_;
  int tag_;
  std::deque<letter> letters_;
};

}  // namespace wherry
