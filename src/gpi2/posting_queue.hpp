// One of GASPI's queues, as all exchanges share it: requests are posted without waiting, and what a queue that is full
// wants is a gaspi_wait, which is not waited for either. Whoever has a buffer in a request knows by a ticket when it is
// his again. The program may use the same queues.
#pragma once

#include <GASPI.h>

#include <atomic>
#include <cstdint>
#include <utility>

namespace wherry::gpi2 {

class posting_queue {
 public:
  explicit posting_queue(gaspi_queue_id_t id) : id_(id) {}

  gaspi_queue_id_t id() const { return id_; }

  /// @param request posts one to this queue with GASPI_TEST
  /// @param ticket of the request, where it was posted
  /// @return GASPI_SUCCESS; GASPI_TIMEOUT: to be asked again; an error of GASPI's
  template <class Request> gaspi_return_t post(Request&& request, std::uint64_t& ticket) {
    auto status = std::forward<Request>(request)();
    if (status == GASPI_QUEUE_FULL) {
      if (const auto emptied = empty(); emptied != GASPI_SUCCESS) return emptied;
      status = std::forward<Request>(request)();
    }
    if (status == GASPI_QUEUE_FULL) return GASPI_TIMEOUT;  // another thread was quicker
    if (status == GASPI_SUCCESS) ticket = ++posted_;       // afterwards: who reads it sees that it was posted
    return status;
  }

  /// Whether what was posted under this ticket is done on this side: GASPI_SUCCESS, or as above. Ticket 0 always is.
  gaspi_return_t is_done(std::uint64_t ticket) {
    return ticket <= waited_.load(std::memory_order_acquire) ? GASPI_SUCCESS : empty();
  }

 private:
  gaspi_return_t empty() {
    const auto before = posted_.load();
    const auto status = gaspi_wait(id_, GASPI_TEST);
    if (status == GASPI_SUCCESS) {
      auto known = waited_.load();
      while (known < before && !waited_.compare_exchange_weak(known, before)) {
      }
    } else if (status != GASPI_TIMEOUT) {
      gaspi_queue_purge(id_, GASPI_TEST);  // what failed must not fail those that do not speak to the same rank
    }
    return status;
  }

  gaspi_queue_id_t id_;
  std::atomic<std::uint64_t> posted_{0}, waited_{0};
};

}  // namespace wherry::gpi2
