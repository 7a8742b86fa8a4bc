// Messages between two ranks while an exchange is bound. Both ranks know that they talk, and how many bytes each
// message has.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Sends and receives messages with the exchange's own tag. All of them must be complete before the exchange starts. It
/// waits with `patience`, so that a timeout names the late rank.
class bind_mail {
 public:
  explicit bind_mail(const transports::bind_request& request)
      : comm_(request.comm), plan_(request.plan), tag_(request.tag) {}
  bind_mail(const bind_mail&) = delete;
  bind_mail& operator=(const bind_mail&) = delete;
  /// Leaks the memory of messages that have not left yet, because MPI still uses it.
  ~bind_mail();

  template <class T> void send(int peer, const T* list, std::size_t count) {
    send_bytes(peer, std::as_bytes(std::span(list, count)));
  }
  template <class T> void receive(int peer, T* list, std::size_t count) const {
    receive_bytes(peer, std::as_writable_bytes(std::span(list, count)));
  }
  /// Returns when all messages have left.
  void finish();

 private:
  struct letter {
    std::vector<std::byte> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  void send_bytes(int peer, std::span<const std::byte> bytes);
  void receive_bytes(int peer, std::span<std::byte> bytes) const;

  const communicator& comm_;
  const plans::schedule& plan_;
  int tag_;
  std::deque<letter> letters_;
};

}  // namespace wherry
