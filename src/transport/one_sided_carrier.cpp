// The transport `one_sided`: a message is written to the peer's part of a segment, and then the peer is notified; there
// is no receive call. notified_channel.hpp has the protocol of the two sides. Without credit, the write is left to
// `test_stage`, because `start` never waits for a peer. Ranks of a node pack directly into each other's parts; for
// other nodes MPI puts bytes that were packed here.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "channel/notified_channel.hpp"
#include "core/collective.hpp"
#include "core/copies_for_reader.hpp"
#include "message_wise.hpp"
#include "notified_leg.hpp"
#include "staging.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

struct outgoing : notified_leg {
  using notified_leg::notified_leg;
  std::byte* reached = nullptr;  // the peer's part; null: MPI puts
  std::vector<std::byte> wire;
  copies_for_reader to_reached;
  bool is_packed = false;  // in `wire`
  notified_sender<> side;
};

struct incoming : notified_leg {
  using notified_leg::notified_leg;
  notified_receiver<> side;
};

using stage_part = stage_messages<outgoing, incoming>;
constexpr auto at_once = [] { return true; };  // a segment's notification follows its data

class one_sided_carrier final : public message_wise<stage_part> {
 public:
  explicit one_sided_carrier(const transports::bind_request& request)
      : snapshot_(request.snapshot),
        bounce_(std::make_unique_for_overwrite<std::byte[]>(detail::shape_kernels::piece_bytes)) {
    const auto& comm = request.comm;
    std::size_t bytes = 0;
    detail::collectively(comm, request.plan.pattern, [&] { bytes = lay_out(request); });
    const int most =
        patient::allreduce(comm, request.plan.pattern, std::vector{static_cast<int>(notifications_)}, patient::most)[0];
    segment_ = std::make_unique<byte_segment>(comm, bytes, segment_options{.notifications = most, .counted = false});
    tell_places(request, stages_);
    const auto words = segment_->notifications_of(comm.rank());
    for (auto& part : stages_) {
      for (auto& s : part.sends) {
        s.side = notified_sender<>(words.at(s.mine.notification));
        s.reached = segment_->memory_of(s.peer);
        if (s.reached == nullptr || snapshot_) s.wire.resize(s.packing.bytes());
      }
      for (auto& r : part.receives) r.side = notified_receiver<>(words.at(r.mine.notification));
    }
  }

  void start_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    part.begin(part.start + 1);
    for (auto& s : part.sends) s.is_packed = false;
    push(part, fields);
    for (auto& s : part.sends)
      if (!is_done(s.side) && snapshot_) pack(s, fields);
  }

  void send_owed(std::size_t number, plans::field_table fields) override { push(stages_[number], fields); }

  bool test_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    push(part, fields);
    pull(part, fields);
    return part.is_complete();
  }

 private:
  /// Gives every message its places, and returns the size of this rank's part.
  std::size_t lay_out(const transports::bind_request& request) {
    std::size_t end = 0, wires = 0, most = 0;
    make_stages(
        request,
        [&](stage_part&, const plans::message& m) {
          incoming r(m, request);
          r.mine.notification = notifications_++;
          take_slots(r, end);
          return r;
        },
        [&](stage_part&, const plans::message& m) {
          outgoing s(m, request);
          s.mine.notification = notifications_++;
          wires += s.packing.bytes();
          return s;
        });
    for (const auto& part : stages_) most = std::max({most, part.sends.size(), part.receives.size()});
    notices_.reserve(most);
    require_staging(request, end + wires);
    return end;
  }

  static void pack(outgoing& s, plans::field_table fields) {
    if (!std::exchange(s.is_packed, true)) s.packing.pack(fields, s.wire.data());
  }

  /// Writes all messages that have credit, and then notifies, so that the latencies of several peers overlap.
  void push(stage_part& part, plans::field_table fields) {
    if (part.unsent == 0) return;
    for (auto& s : part.sends) s.side.try_put([&](std::uint64_t slot) { write(s, fields, slot); });
    part.send_rest([&](outgoing& s) {
      s.side.try_notify(at_once, [&](std::uint32_t word) { note(s, word); });
      s.side.try_end(at_once);
    });
    notify();
  }

  void write(outgoing& s, plans::field_table fields, std::uint64_t slot) {
    const auto at = static_cast<std::size_t>(s.remote.slot[slot]);
    if (s.reached == nullptr) {
      pack(s, fields);
      segment_->write(s.peer, at, s.wire);
    } else if (!s.is_packed) {
      s.to_reached.begin(s.reached + at, s.packing.bytes());
      s.packing.pack_in_bulk(fields, {bounce_.get(), detail::shape_kernels::piece_bytes}, s.reached + at, s.to_reached);
      s.to_reached.end();
    } else {
      s.to_reached.message(s.reached + at, s.wire.data(), s.wire.size());
    }
  }

  void pull(stage_part& part, plans::field_table fields) {
    if (part.undelivered == 0) return;
    part.receive_rest([&](incoming& r) {
      r.side.try_receive(
          [&](std::uint64_t slot) { r.packing.unpack(fields, segment_->memory().data() + r.mine.slot[slot]); },
          [&](std::uint32_t word) { note(r, word); }, at_once);
    });
    notify();
  }

  void note(const notified_leg& l, std::uint32_t word) {
    notices_.push_back({l.peer, static_cast<int>(l.remote.notification), word});
  }
  void notify() {
    segment_->notify(notices_);
    notices_.clear();
  }

  bool snapshot_;
  std::unique_ptr<std::byte[]> bounce_;  // see message_packing::pack_in_bulk
  std::uint32_t notifications_ = 0;
  std::unique_ptr<byte_segment> segment_;
  std::vector<channels::segment_notice> notices_;  // notices that leave together; its memory is kept
};

}  // namespace

std::unique_ptr<transports::carrier> bind_one_sided(const transports::bind_request& request) {
  return std::make_unique<one_sided_carrier>(request);
}

}  // namespace wherry
