// The transports `two_sided` and `persistent`: one packed message for each peer and stage, by MPI's point-to-point
// calls. `persistent` keeps its requests. `two_sided` sends and receives messages that a device packs where they lie,
// in pinned memory; `device_two_sided` passes device memory to MPI.
#include "message_carrier.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "channel/message_requests.hpp"
#include "core/gpu_aware_mpi.hpp"
#include "device_fields.hpp"
#include "staging.hpp"

namespace wherry {
namespace {

/// One message in one direction: its bytes, and its MPI requests (several if it is larger than the limit).
struct leg {
  int peer = 0;
  detail::message_packing packing;
  std::size_t buffer = 0;        // offset in the stage's memory
  std::byte* wire = nullptr;     // there; never the user's field, which an abandoned exchange would leave to MPI
  std::int32_t packed_in = -1;   // the field of packed messages in which it lies as it travels, or -1
  std::int64_t packed_from = 0;  // its offset there
  std::size_t first_request = 0, requests = 0, pending = 0;
  bool delivered = false;
};

class message_carrier final : public carrier {
 public:
  message_carrier(const bind_request& request, bool persistent, const device* by = nullptr)
      : comm_(request.comm),
        tag_(request.tag),
        persistent_(persistent),
        keep_(request.keep_buffers || persistent),
        device_(by) {
    for (const auto& part : request.stages) {
      auto& mine = stages_.emplace_back();
      for (const auto& m : part.receives) mine.receives.push_back(make_leg(m, request, mine));
      mine.receive_requests = mine.requests.size();
      for (const auto& m : part.sends) mine.sends.push_back(make_leg(m, request, mine));
      mine.ready.resize(mine.requests.size());
      mine.in_order = std::any_of(part.receives.begin(), part.receives.end(),
                                  [&](const message& m) { return request.code.combines(m.operation); });
    }
    require_staging(request, bytes());
    if (keep_) allocate();
    if (persistent_)
      for (auto& part : stages_) make_persistent(part);
  }

  ~message_carrier() override {
    if (!persistent_ || !mpi_is_running()) return;
    for (auto& part : stages_)
      for (auto& request : part.requests)
        if (request != MPI_REQUEST_NULL) PMPI_Request_free(&request);
  }

  void start_stage(std::size_t number, field_table fields) override {
    start_receiving(number, fields);
    for (std::size_t i = 0; i < stages_[number].sends.size(); ++i) send_one(number, i, fields);
  }

  bool sends_one_by_one() const override { return true; }

  void start_receiving(std::size_t number, field_table fields) override {
    if (!memory_) allocate();
    auto& part = stages_[number];
    part.outstanding = part.requests.size();
    part.undelivered = part.receives.size();
    for (auto& r : part.receives) {
      r.pending = r.requests;
      r.delivered = false;
      find_packed(r, fields);
      post(part, r, true);
      if (r.requests == 0) deliver(part, r, fields);
    }
  }

  void send_one(std::size_t number, std::size_t message, field_table fields) override {
    auto& part = stages_[number];
    auto& s = part.sends[message];
    find_packed(s, fields);
    if (s.packed_in < 0) s.packing.pack(fields, s.wire);
    post(part, s, false);
  }

  bool has_delivered(std::size_t number, std::size_t message) const override {
    return stages_[number].receives[message].delivered;
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    // Repeat until nothing new has come: Open MPI yields the core only in a call that finds nothing.
    for (int count = 1; count > 0 && part.outstanding > 0;) {
      check_mpi(PMPI_Testsome(static_cast<int>(part.requests.size()), part.requests.data(), &count, part.ready.data(),
                              MPI_STATUSES_IGNORE),
                "MPI_Testsome");
      for (int i = 0; i < count; ++i)
        arrived(part, static_cast<std::size_t>(part.ready[static_cast<std::size_t>(i)]), fields);
      if (count > 0) part.outstanding -= static_cast<std::size_t>(count);
    }
    if (part.outstanding > 0) return false;
    if (part.in_order)
      for (auto& r : part.receives) deliver(part, r, fields);
    if (part.undelivered > 0) return false;
    if (!keep_ && number + 1 == stages_.size()) memory_.reset();
    return true;
  }

  std::string remark() const override { return device_ == nullptr ? "" : gpu_aware_mpi(device_->name).because; }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    const auto& part = stages_[number];
    for (const auto& r : part.receives)
      if (r.pending > 0) peers.push_back(r.peer);
    for (const auto& s : part.sends)
      if (is_under_way(part, s)) peers.push_back(s.peer);
  }

 private:
  struct stage_part {
    std::vector<leg> receives, sends;
    std::vector<MPI_Request> requests;
    std::vector<std::size_t> receive_of;  // the receive to which a request belongs
    std::vector<int> ready;
    std::size_t receive_requests = 0, outstanding = 0, undelivered = 0;
    std::size_t bytes = 0;  // of the buffers
    bool in_order = false;  // reductions are applied in the plan's order, so that floats come out identical
  };

  static bool is_under_way(const stage_part& part, const leg& l) {
    const auto first = part.requests.begin() + static_cast<std::ptrdiff_t>(l.first_request);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(l.requests), is_incomplete);
  }

  leg make_leg(const message& m, const bind_request& request, stage_part& part) const {
    leg l;
    l.peer = m.peer;
    l.packing = detail::message_packing(m, request.plan, request.kernels, request.code);
    look_for_packed(l, m, request);
    const auto bytes = l.packed_in < 0 ? l.packing.bytes() : 0;
    l.buffer = std::exchange(part.bytes, part.bytes + (bytes + 63) / 64 * 64);
    l.first_request = part.requests.size();
    l.requests = (l.packing.bytes() + limit_ - 1) / limit_;
    part.requests.resize(part.requests.size() + l.requests, MPI_REQUEST_NULL);
    part.receive_of.resize(part.requests.size(), part.receives.size());
    return l;
  }

  /// Finds out whether the message lies in packed memory of a device as it travels. Not for persistent requests: they
  /// need the address before that memory has a place.
  void look_for_packed(leg& l, const message& m, const bind_request& request) const {
    if (request.on_device == nullptr || persistent_ || m.count == 0) return;
    const auto rows = request.plan.rows_of(m);
    const auto field = rows.front().field;
    if (request.on_device->packed_in(field) == nullptr) return;
    if (std::any_of(rows.begin(), rows.end(), [field](const auto& row) { return row.field != field; })) return;
    l.packed_in = field;
    l.packed_from = rows.front().offset;
  }

  void find_packed(leg& l, field_table fields) const {
    if (l.packed_in < 0) return;
    auto* const place = static_cast<std::byte*>(fields[static_cast<std::size_t>(l.packed_in)]) + l.packed_from;
    l.wire =
        device_ == nullptr || device_->for_mpi == nullptr ? place : static_cast<std::byte*>(device_->for_mpi(place));
  }

  /// Stages run one after the other, so they share one memory; a plan that is cut into many stages needs little.
  std::size_t bytes() const {
    std::size_t most = 1;
    for (const auto& part : stages_) most = std::max(most, part.bytes);
    return most;
  }

  void allocate() {
    memory_.reset(new std::byte[bytes()]);
    for (auto& part : stages_)
      for (auto* legs : {&part.receives, &part.sends})
        for (auto& l : *legs)
          if (l.packed_in < 0) l.wire = memory_.get() + l.buffer;
  }

  /// Calls `piece(request, address, bytes)` for each MPI message of a leg.
  template <class Piece> void for_each_piece(stage_part& part, const leg& l, Piece piece) const {
    const std::size_t all = l.packing.bytes();
    for (std::size_t i = 0; i < l.requests; ++i)
      piece(&part.requests[l.first_request + i], l.wire + i * limit_,
            static_cast<int>(std::min(limit_, all - i * limit_)));
  }

  void make_persistent(stage_part& part) {
    for (auto& r : part.receives)
      for_each_piece(part, r, [&](MPI_Request* request, std::byte* at, int bytes) {
        check_mpi(PMPI_Recv_init(at, bytes, MPI_BYTE, r.peer, tag_, comm_.handle(), request), "MPI_Recv_init");
      });
    for (auto& s : part.sends)
      for_each_piece(part, s, [&](MPI_Request* request, std::byte* at, int bytes) {
        check_mpi(PMPI_Send_init(at, bytes, MPI_BYTE, s.peer, tag_, comm_.handle(), request), "MPI_Send_init");
      });
  }

  void post(stage_part& part, const leg& l, bool receive) const {
    if (l.requests == 0) return;
    if (persistent_) {
      check_mpi(PMPI_Startall(static_cast<int>(l.requests), &part.requests[l.first_request]), "MPI_Startall");
      return;
    }
    for_each_piece(part, l, [&](MPI_Request* request, std::byte* at, int bytes) {
      if (receive)
        check_mpi(PMPI_Irecv(at, bytes, MPI_BYTE, l.peer, tag_, comm_.handle(), request), "MPI_Irecv");
      else
        check_mpi(PMPI_Isend(at, bytes, MPI_BYTE, l.peer, tag_, comm_.handle(), request), "MPI_Isend");
    });
  }

  void arrived(stage_part& part, std::size_t request, field_table fields) {
    if (request >= part.receive_requests) return;
    auto& r = part.receives[part.receive_of[request]];
    if (--r.pending == 0 && !part.in_order) deliver(part, r, fields);
  }

  static void deliver(stage_part& part, leg& r, field_table fields) {
    if (std::exchange(r.delivered, true)) return;
    if (r.packed_in < 0) r.packing.unpack(fields, r.wire);
    --part.undelivered;
  }

  const communicator& comm_;
  int tag_;
  bool persistent_, keep_;
  const device* device_;  // MPI gets this device's memory; null: the host's
  std::size_t limit_ = current_settings().message_limit;
  std::vector<stage_part> stages_;
  std::unique_ptr<std::byte[]> memory_;  // null while it is given back
};

}  // namespace

std::string why_mpi_reaches_no_device() {
  const auto* here = device_in_use();
  if (here == nullptr) return detail::text("there is no device: ", why_no_device());
  const auto asked = gpu_aware_mpi(here->name);
  return asked.reaches ? std::string() : asked.because;
}

std::unique_ptr<carrier> bind_device_two_sided(const bind_request& request) {
  const auto* by = request.on_device == nullptr ? nullptr : &request.on_device->packed(true).by();
  return std::make_unique<message_carrier>(request, false, by);
}

std::unique_ptr<carrier> bind_two_sided(const bind_request& request) {
  return std::make_unique<message_carrier>(request, false);
}

std::unique_ptr<carrier> bind_persistent(const bind_request& request) {
  return std::make_unique<message_carrier>(request, true);
}

}  // namespace wherry
