// The common part of the carriers whose messages are requests of MPI's point-to-point calls.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "message_wise.hpp"

namespace wherry {

/// One message in one direction. It has several requests if it is larger than the limit.
struct request_leg {
  int peer = 0;
  std::size_t first_request = 0, requests = 0, pending = 0;
  bool delivered = false;
};

/// True if a request is under way; false for MPI_REQUEST_NULL and for a request that was not started.
inline bool is_incomplete(MPI_Request request) {
  int complete = 0;
  check_mpi(PMPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE), "MPI_Request_get_status");
  return complete == 0;
}

template <class Leg> struct request_stage : stage_messages<Leg, Leg> {
  std::vector<MPI_Request> requests;    // those of the receives come first
  std::vector<std::size_t> receive_of;  // the receive of each request; for a send: the number of receives
  std::vector<int> ready;
  std::size_t outstanding = 0;

  bool is_missing(const Leg& l) const {
    const auto first = requests.begin() + static_cast<std::ptrdiff_t>(l.first_request);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(l.requests), is_incomplete);
  }
  bool is_leaving(const Leg& l) const { return is_missing(l); }
  /// The receive that a request belongs to; null for the request of a send.
  Leg* receive_with(int request) {
    const auto number = receive_of[static_cast<std::size_t>(request)];
    return number < this->receives.size() ? &this->receives[number] : nullptr;
  }
  void add_requests(Leg& of, std::size_t count) {
    of.first_request = requests.size();
    of.requests = count;
    requests.resize(of.first_request + count, MPI_REQUEST_NULL);
    receive_of.resize(requests.size(), this->receives.size());
    ready.resize(requests.size());
  }
};

/// @tparam Carrier the derived class, with three functions: `for_each_piece(leg, piece)` calls `piece(address, count,
///         type)` for each request of a message, and `before_send(leg, fields)` and `after_receive(leg, fields)` are
///         called once for each message
/// @tparam Leg a message, derived from `request_leg`
template <class Carrier, class Leg> class request_carrier : public message_wise<request_stage<Leg>> {
 public:
  void start_stage(std::size_t number, plans::field_table fields) override {
    self().start_receiving(number, fields);
    for (std::size_t i = 0; i < stages_[number].sends.size(); ++i) request_carrier::send_one(number, i, fields);
  }

  void start_receiving(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    part.outstanding = part.requests.size();
    part.undelivered = part.receives.size();
    for (auto& r : part.receives) {
      r.pending = r.requests;
      r.delivered = false;
      self().post(part, r, true);
      if (r.requests == 0) deliver(part, r, fields);
    }
  }

  void send_one(std::size_t number, std::size_t message, plans::field_table fields) override {
    auto& part = stages_[number];
    auto& s = part.sends[message];
    self().before_send(s, fields);
    self().post(part, s, false);
  }

  bool test_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    // Repeat until nothing new has come: Open MPI yields the core only in a call that finds nothing.
    for (int count = 1; count > 0 && part.outstanding > 0;) {
      check_mpi(PMPI_Testsome(static_cast<int>(part.requests.size()), part.requests.data(), &count, part.ready.data(),
                              MPI_STATUSES_IGNORE),
                "MPI_Testsome");
      if (count > 0) note(part, {part.ready.data(), static_cast<std::size_t>(count)}, fields);
    }
    if (part.outstanding > 0) return false;
    if (part.undelivered > 0)
      for (auto& r : part.receives) deliver(part, r, fields);
    return true;
  }

 protected:
  using stage_part = request_stage<Leg>;
  using message_wise<stage_part>::stages_;

  explicit request_carrier(const transports::bind_request& request)
      : comm_(request.comm.private_handle()), tag_(request.tag) {}

  /// Calls MPI for each request of a message.
  template <class Call> void each_request(stage_part& part, Leg& l, Call call, std::string_view name) {
    auto* request = part.requests.data() + l.first_request;
    self().for_each_piece(l, [&](auto* at, int count, MPI_Datatype type) {
      check_mpi(call(at, count, type, l.peer, tag_, comm_, request++), name);
    });
  }
  void post(stage_part& part, Leg& l, bool receive) {
    receive ? each_request(part, l, PMPI_Irecv, "MPI_Irecv") : each_request(part, l, PMPI_Isend, "MPI_Isend");
  }

  MPI_Comm comm_;
  int tag_;

 private:
  Carrier& self() { return static_cast<Carrier&>(*this); }

  /// Notes which requests are complete, and then delivers the messages that have arrived with them: delivering may
  /// throw, and MPI tells only once that a request is complete.
  void note(stage_part& part, std::span<const int> complete, plans::field_table fields) {
    part.outstanding -= complete.size();
    for (const int request : complete)
      if (auto* const r = part.receive_with(request)) --r->pending;
    if (part.in_order) return;
    for (const int request : complete)
      if (auto* const r = part.receive_with(request); r != nullptr && r->pending == 0) deliver(part, *r, fields);
  }

  void deliver(stage_part& part, Leg& r, plans::field_table fields) {
    if (r.delivered) return;
    self().after_receive(r, fields);
    r.delivered = true;
    --part.undelivered;
  }
};

}  // namespace wherry
