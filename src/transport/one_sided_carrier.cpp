// The transport `one_sided`: a message is written to the peer's part of a segment, and then the peer is notified; there
// is no receive call. notified_channel.hpp has the protocol of the two sides. Without credit, the write is left to
// `test_stage`, because `start` never waits for a peer. Ranks of a node pack directly into each other's parts; for
// other nodes MPI puts bytes that were packed here.
#include "one_sided_carrier.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "bind_mail.hpp"
#include "channel/notified_channel.hpp"
#include "core/collective.hpp"
#include "core/copies_for_reader.hpp"
#include "staging.hpp"

namespace wherry {
namespace {

constexpr std::size_t line = 64;  // no two messages share a cache line
constexpr std::size_t in_lines(std::size_t bytes) { return (bytes + line - 1) / line * line; }

/// Where the peer's side of a message lies in the peer's part: the slots, if the peer receives, and the peer's
/// notification.
struct remote_places {
  std::uint64_t slot[2] = {};
  std::int64_t notification = 0;
};

struct leg {
  int peer = 0;
  detail::message_packing packing;
  int notification = 0;  // of this rank, written by the peer: credit of a send, arrival of a receive
  remote_places remote;
};

struct outgoing : leg {
  std::byte* reached = nullptr;  // the peer's part; null: MPI puts
  std::vector<std::byte> wire;
  copies_for_reader to_reached;
  bool is_packed = false;  // in `wire`
  notified_sender<> side;
};

struct incoming : leg {
  std::size_t slot[2] = {};
  notified_receiver<> side;
};

using sending = notified_sender<>::phase;
using receiving = notified_receiver<>::phase;
constexpr auto at_once = [] { return true; };  // a segment's notification follows its data

struct stage_part {
  std::vector<outgoing> sends;
  std::vector<incoming> receives;
  std::uint64_t number = 0;  // the number of the current start
  std::size_t undelivered = 0, ungone = 0;
  bool in_order = false;
};

class one_sided_carrier final : public carrier {
 public:
  explicit one_sided_carrier(const bind_request& request)
      : snapshot_(request.snapshot),
        bounce_(std::make_unique_for_overwrite<std::byte[]>(detail::shape_kernels::piece_bytes)) {
    const auto& comm = request.comm;
    std::size_t bytes = 0;
    collectively(comm, request.plan.pattern, [&] { bytes = lay_out(request); });
    const int most = patient::allreduce(comm, request.plan.pattern, std::vector{notifications_}, patient::most)[0];
    segment_ = std::make_unique<byte_segment>(comm, bytes, segment_options{.notifications = most, .counted = false});
    tell_places(request);
    const auto words = segment_->notifications_of(comm.rank());
    for (auto& part : stages_) {
      for (auto& s : part.sends) {
        s.side = notified_sender<>(words.at(s.notification));
        s.reached = segment_->reached(s.peer);
        if (s.reached == nullptr || snapshot_) s.wire.resize(s.packing.bytes());
      }
      for (auto& r : part.receives) r.side = notified_receiver<>(words.at(r.notification));
    }
  }

  void start_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    ++part.number;
    part.undelivered = part.receives.size();
    part.ungone = part.sends.size();
    for (auto& r : part.receives) r.side.begin(part.number);
    for (auto& s : part.sends) {
      s.side.begin(part.number);
      s.is_packed = false;
    }
    push(part, fields);
    for (auto& s : part.sends)
      if (s.side.now() == sending::needs_credit && snapshot_) pack(s, fields);
  }

  void send_owed(std::size_t number, field_table fields) override {
    if (stages_[number].ungone > 0) push(stages_[number], fields);
  }

  bool test_stage(std::size_t number, field_table fields) override {
    auto& part = stages_[number];
    send_owed(number, fields);
    if (part.undelivered > 0) pull(part, fields);
    return part.ungone == 0 && part.undelivered == 0;
  }

  bool owes(std::size_t number) const override { return stages_[number].ungone > 0; }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    const auto& part = stages_[number];
    for (const auto& r : part.receives)
      if (r.side.is_missing()) peers.push_back(r.peer);
    for (const auto& s : part.sends)
      if (s.side.now() != sending::done) peers.push_back(s.peer);
  }

 private:
  /// Gives every message its places, and returns the size of this rank's part.
  std::size_t lay_out(const bind_request& request) {
    std::size_t end = 0, wires = 0, most = 0;
    for (const auto& part : request.stages) {
      auto& mine = stages_.emplace_back();
      for (const auto& m : part.receives) {
        auto& r = mine.receives.emplace_back();
        describe(r, m, request);
        for (auto& slot : r.slot) slot = std::exchange(end, end + in_lines(r.packing.bytes()));
        mine.in_order = mine.in_order || request.code.combines(m.operation);
      }
      for (const auto& m : part.sends) {
        auto& s = mine.sends.emplace_back();
        describe(s, m, request);
        wires += s.packing.bytes();
      }
      most = std::max({most, part.sends.size(), part.receives.size()});
    }
    notices_.reserve(most);
    require_staging(request, end + wires);
    return end;
  }

  void describe(leg& l, const message& m, const bind_request& request) {
    l.peer = m.peer;
    l.packing = detail::message_packing(m, request.plan, request.kernels, request.code);
    l.notification = notifications_++;
  }

  /// Each side of a message tells the other where to write. Towards one peer, a rank tells stage by stage, receives
  /// before sends, and the peer reads in that order.
  void tell_places(const bind_request& request) {
    bind_mail mail(request);
    for (const auto& part : stages_) {
      for (const auto& r : part.receives) {
        const remote_places mine{{r.slot[0], r.slot[1]}, r.notification};
        mail.send(r.peer, &mine, 1);
      }
      for (const auto& s : part.sends) {
        const remote_places mine{{}, s.notification};
        mail.send(s.peer, &mine, 1);
      }
    }
    for (auto& part : stages_) {
      for (auto& s : part.sends) mail.receive(s.peer, &s.remote, 1);
      for (auto& r : part.receives) mail.receive(r.peer, &r.remote, 1);
    }
    mail.finish();
  }

  static void pack(outgoing& s, field_table fields) {
    if (!std::exchange(s.is_packed, true)) s.packing.pack(fields, s.wire.data());
  }

  /// Writes all messages that have credit, and then notifies, so that the latencies of several peers overlap.
  void push(stage_part& part, field_table fields) {
    for (auto& s : part.sends) s.side.try_put([&](std::uint64_t slot) { write(s, fields, slot); });
    for (auto& s : part.sends) {
      if (s.side.now() != sending::put) continue;
      s.side.try_notify(at_once, [&](std::uint32_t word) { note(s, word); });
      s.side.try_end(at_once);
      --part.ungone;
    }
    notify();
  }

  void write(outgoing& s, field_table fields, std::uint64_t slot) {
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

  void pull(stage_part& part, field_table fields) {
    if (part.in_order &&
        std::any_of(part.receives.begin(), part.receives.end(), [](const incoming& r) { return r.side.is_missing(); }))
      return;
    for (auto& r : part.receives) {
      if (r.side.now() == receiving::done) continue;
      r.side.try_receive(
          [&](std::uint64_t slot) { r.packing.unpack(fields, segment_->memory().data() + r.slot[slot]); },
          [&](std::uint32_t word) { note(r, word); }, at_once);
      if (r.side.now() == receiving::done) --part.undelivered;
    }
    notify();
  }

  void note(const leg& l, std::uint32_t word) {
    notices_.push_back({l.peer, static_cast<int>(l.remote.notification), word});
  }
  void notify() {
    segment_->notify(notices_);
    notices_.clear();
  }

  bool snapshot_;
  std::unique_ptr<std::byte[]> bounce_;  // see message_packing::pack_in_bulk
  int notifications_ = 0;
  std::unique_ptr<byte_segment> segment_;
  std::vector<segment_notice> notices_;  // notices that leave together; its memory is kept
  std::vector<stage_part> stages_;
};

}  // namespace

std::unique_ptr<carrier> bind_one_sided(const bind_request& request) {
  return std::make_unique<one_sided_carrier>(request);
}

}  // namespace wherry
