// A queue of GASPI, which all exchanges share. Requests are posted without waiting. A full queue needs a gaspi_wait,
// and that does not wait either. By a ticket the owner of a buffer learns when a request no longer uses it. The program
// may use the same queues.
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

  /// @param request posts a request to this queue with GASPI_TEST
  /// @param ticket gets the request's ticket if it was posted
  /// @return GASPI_SUCCESS; GASPI_TIMEOUT, to be called again; or an error of GASPI
  template <class Request> gaspi_return_t post(Request&& request, std::uint64_t& ticket) {
    auto status = std::forward<Request>(request)();
    if (status == GASPI_QUEUE_FULL) {
      if (const auto emptied = empty(); emptied != GASPI_SUCCESS) return emptied;
      status = std::forward<Request>(request)();
    }
    if (status == GASPI_QUEUE_FULL) return GASPI_TIMEOUT;  // another thread was quicker
    if (status == GASPI_SUCCESS) ticket = ++posted_;       // after posting: `empty` relies on this order
    return status;
  }

  /// GASPI_SUCCESS if the request with this ticket is complete on this side; otherwise as `post`. Ticket 0 is always
  /// complete.
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
      gaspi_queue_purge(id_, GASPI_TEST);  // a failed request must not fail later ones to other ranks
    }
    return status;
  }

  gaspi_queue_id_t id_;
  std::atomic<std::uint64_t> posted_{0}, waited_{0};
};

}  // namespace wherry::gpi2
