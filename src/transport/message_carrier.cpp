// The transports `two_sided` and `persistent`: one packed message for each peer and stage, by MPI's point-to-point
// calls. `persistent` keeps its requests. `two_sided` sends and receives messages that a device packs where they lie,
// in pinned memory; `device_two_sided` passes device memory to MPI.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "core/cache_line.hpp"
#include "core/gpu_aware_mpi.hpp"
#include "device_fields.hpp"
#include "request_carrier.hpp"
#include "staging.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

/// One message in one direction: its bytes.
struct leg : request_leg {
  detail::message_packing packing;
  std::size_t buffer = 0;        // offset in the memory of all stages
  std::byte* wire = nullptr;     // there; never the user's field, which an abandoned exchange would leave to MPI
  std::int32_t packed_in = -1;   // the field of packed messages in which it lies as it travels, or -1
  std::int64_t packed_from = 0;  // its offset there
};

class message_carrier final : public request_carrier<message_carrier, leg> {
 public:
  message_carrier(const transports::bind_request& request, bool persistent, const device* by = nullptr)
      : request_carrier(request), persistent_(persistent), keep_(request.keep_buffers || persistent), device_(by) {
    const auto make = [&](stage_part& part, const plans::message& m) { return make_leg(m, request, part); };
    make_stages(request, make, make);
    place_buffers();
    require_staging(request, bytes_);
    if (keep_) allocate();
    if (persistent_)
      for (auto& part : stages_) make_persistent(part);
  }

  ~message_carrier() override {
    if (!persistent_ || !detail::mpi_is_running()) return;
    for (auto& part : stages_)
      for (auto& request : part.requests)
        if (request != MPI_REQUEST_NULL) PMPI_Request_free(&request);
  }

  bool sends_one_by_one() const override { return true; }

  void start_receiving(std::size_t number, plans::field_table fields) override {
    if (!memory_) allocate();
    for (auto& r : stages_[number].receives) find_packed(r, fields);
    request_carrier::start_receiving(number, fields);
  }

  bool has_delivered(std::size_t number, std::size_t message) const override {
    return stages_[number].receives[message].delivered;
  }

  bool test_stage(std::size_t number, plans::field_table fields) override {
    if (!request_carrier::test_stage(number, fields)) return false;
    if (!keep_ && number + 1 == stages_.size()) memory_.reset();
    return true;
  }

  std::string remark() const override { return device_ == nullptr ? "" : gpu_aware_mpi(device_->name).because; }

  template <class Piece> void for_each_piece(leg& l, Piece&& piece) const {
    for (std::size_t at = 0, all = l.packing.bytes(); at < all; at += limit_)
      piece(l.wire + at, static_cast<int>(std::min(limit_, all - at)), MPI_BYTE);
  }

  void before_send(leg& s, plans::field_table fields) const {
    find_packed(s, fields);
    if (s.packed_in < 0) s.packing.pack(fields, s.wire);
  }
  static void after_receive(const leg& r, plans::field_table fields) {
    if (r.packed_in < 0) r.packing.unpack(fields, r.wire);
  }

  void post(stage_part& part, leg& l, bool receive) {
    if (!persistent_) return request_carrier::post(part, l, receive);
    if (l.requests > 0)
      check_mpi(PMPI_Startall(static_cast<int>(l.requests), &part.requests[l.first_request]), "MPI_Startall");
  }

 private:
  leg make_leg(const plans::message& m, const transports::bind_request& request, stage_part& part) const {
    leg l;
    l.peer = m.peer;
    l.packing = detail::message_packing(m, request.plan, request.kernels, request.code);
    look_for_packed(l, m, request);
    part.add_requests(l, (l.packing.bytes() + limit_ - 1) / limit_);
    return l;
  }

  /// Finds out whether the message lies in packed memory of a device as it travels. Not for persistent requests: they
  /// need the address before that memory has a place.
  void look_for_packed(leg& l, const plans::message& m, const transports::bind_request& request) const {
    if (request.on_device == nullptr || persistent_ || m.count == 0) return;
    const auto rows = request.plan.rows_of(m);
    const auto field = rows.front().field;
    if (request.on_device->packed_in(field) == nullptr) return;
    if (std::any_of(rows.begin(), rows.end(), [field](const auto& row) { return row.field != field; })) return;
    l.packed_in = field;
    l.packed_from = rows.front().offset;
  }

  void find_packed(leg& l, plans::field_table fields) const {
    if (l.packed_in < 0) return;
    auto* const place = static_cast<std::byte*>(fields[static_cast<std::size_t>(l.packed_in)]) + l.packed_from;
    l.wire =
        device_ == nullptr || device_->for_mpi == nullptr ? place : static_cast<std::byte*>(device_->for_mpi(place));
  }

  template <class Work> void for_each_buffered(stage_part& part, Work&& work) {
    for (auto* legs : {&part.receives, &part.sends})
      for (auto& l : *legs)
        if (l.packed_in < 0) work(l);
  }

  /// Stages run one after the other, so they share one memory; a plan that is cut into many stages needs little.
  void place_buffers() {
    for (auto& part : stages_) {
      std::size_t end = 0;
      for_each_buffered(part, [&](leg& l) { l.buffer = std::exchange(end, end + in_lines(l.packing.bytes())); });
      bytes_ = std::max(bytes_, end);
    }
  }

  void allocate() {
    memory_.reset(new std::byte[bytes_]);
    for (auto& part : stages_) for_each_buffered(part, [&](leg& l) { l.wire = memory_.get() + l.buffer; });
  }

  void make_persistent(stage_part& part) {
    for (auto& r : part.receives) each_request(part, r, PMPI_Recv_init, "MPI_Recv_init");
    for (auto& s : part.sends) each_request(part, s, PMPI_Send_init, "MPI_Send_init");
  }

  bool persistent_, keep_;
  const device* device_;  // MPI gets this device's memory; null: the host's
  std::size_t limit_ = current_settings().message_limit;
  std::size_t bytes_ = 1;                // of the memory
  std::unique_ptr<std::byte[]> memory_;  // null while it is given back
};

}  // namespace

std::string why_mpi_reaches_no_device() {
  const auto* here = device_in_use();
  if (here == nullptr) return detail::text("there is no device: ", why_no_device());
  const auto asked = gpu_aware_mpi(here->name);
  return asked.reaches ? std::string() : asked.because;
}

std::unique_ptr<transports::carrier> bind_device_two_sided(const transports::bind_request& request) {
  const auto* by = request.on_device == nullptr ? nullptr : &request.on_device->packed(true).by();
  return std::make_unique<message_carrier>(request, false, by);
}

std::unique_ptr<transports::carrier> bind_two_sided(const transports::bind_request& request) {
  return std::make_unique<message_carrier>(request, false);
}

std::unique_ptr<transports::carrier> bind_persistent(const transports::bind_request& request) {
  return std::make_unique<message_carrier>(request, true);
}

}  // namespace wherry
