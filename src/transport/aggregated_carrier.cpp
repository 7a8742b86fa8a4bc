// The transport `aggregated`: the messages from the ranks of one node to the ranks of another travel together as one
// notified write, into memory that the other node shares (GASPI in Ludwig, section 4: "data for remote nodes can be
// aggregated across multiple node-local ranks. As the GASPI notifications will be globally visible on the remote target
// node all the corresponding remote processes … will be able to see and extract their communication parts"). The rank
// that packs last sends. A wait therefore depends on all ranks of either node that have messages for the other node,
// not only on the rank's own peers.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "aggregation.hpp"
#include "channel/aggregated_channel.hpp"
#include "core/collective.hpp"
#include "message_wise.hpp"
#include "staging.hpp"
#include "transports.hpp"

namespace wherry {
namespace {

struct outgoing : packed_leg {
  using packed_leg::packed_leg;
  const aggregate* together = nullptr;
  std::byte* part[2]{};   // in the slots that this node shares
  std::byte* whole[2]{};  // the slots
  aggregated_sender<> side;
  std::vector<std::byte> snapshot;  // for a deferred start, during which the fields may change
};

struct incoming : packed_leg {
  using packed_leg::packed_leg;
  const aggregate* together = nullptr;
  const std::byte* part[2]{};
  const std::byte* sent_from[2]{};  // null: the sender is on another node
  aggregated_receiver<> side;
};

using stage_part = stage_messages<outgoing, incoming>;

class aggregated_carrier final : public message_wise<stage_part> {
 public:
  explicit aggregated_carrier(const transports::bind_request& request)
      : snapshot_(request.snapshot), planned_(plan_aggregation(request)) {
    const auto& comm = request.comm;
    detail::collectively(comm, request.plan.pattern, [&] {
      if (comm.arena() == nullptr && comm.node_ranks().size() > 1)
        throw error(error_kind::resource, "transport 'aggregated'", "the node has no shared memory for this process",
                    comm.rank());
      require_staging(request, planned_.segment_bytes);
    });
    segment_ = std::make_unique<byte_segment>(
        comm, planned_.segment_bytes, segment_options{.notifications = planned_.notifications, .counted = false});
    make_stages(
        request, [&](const stage_part& part, const plans::message& m) { return bind_receive(part, m, request); },
        [&](const stage_part& part, const plans::message& m) { return bind_send(part, m, request); });
    std::size_t most = 0;
    for (const auto& part : stages_) most = std::max(most, part.sends.size() + part.receives.size());
    to_tell_.reserve(most);
  }

  void start_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    part.begin(part.start + 1);
    and_tell([&] {
      try_to_send(part, fields, false);
      if (!snapshot_) return;
      for (auto& s : part.sends)
        if (!is_done(s.side)) s.packing.pack(fields, s.snapshot.data());
    });
  }

  void send_owed(std::size_t number, plans::field_table fields) override {
    and_tell([&] { try_to_send(stages_[number], fields, snapshot_); });
  }

  bool test_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    and_tell([&] {
      try_to_send(part, fields, snapshot_);
      part.receive_rest([&](incoming& r) {
        const auto& a = *r.together;
        r.side.try_receive([&](std::uint64_t slot) { r.packing.unpack(fields, r.part[slot]); },
                           [&](std::uint32_t word) { to_tell_.push_back({a.gatherer, a.credit, word}); });
      });
    });
    return part.is_complete();
  }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    const auto& part = stages_[number];
    const auto is_packed = [&](const incoming& r) {
      const auto* const sent = r.sent_from[part.start & 1];
      return sent != nullptr && packed_for(sent, r.packing).load() == part.start;
    };
    const auto before = peers.size();
    for (const auto& r : part.receives)
      if (r.side.is_missing() && !is_packed(r)) peers.push_back(r.peer);
    if (peers.size() == before)  // then the late ranks sent other parts of the same aggregates
      return message_wise::append_missing(number, peers);
    for (const auto& s : part.sends)
      if (!is_done(s.side)) peers.push_back(s.peer);
  }

 private:
  outgoing bind_send(const stage_part& part, const plans::message& m, const transports::bind_request& request) const {
    const auto& place = planned_.sends[stages_.size() - 1][part.sends.size()];
    const auto& a = planned_.aggregates.at(place.key);
    outgoing s(m, request);
    s.together = &a;
    auto* const memory = segment_->memory_of(a.gatherer);
    for (const std::uint64_t slot : {0, 1}) {
      s.whole[slot] = memory + aggregate_slot(a.gathered_at, a, slot);
      s.part[slot] = s.whole[slot] + place.at;
    }
    s.side = {segment_->notifications_of(a.gatherer).at(a.credit), turnstiles(memory + a.gathered_at), a.parts};
    if (snapshot_) s.snapshot.resize(s.packing.bytes());
    return s;
  }

  incoming bind_receive(const stage_part& part, const plans::message& m,
                        const transports::bind_request& request) const {
    const auto& place = planned_.receives[stages_.size() - 1][part.receives.size()];
    const auto& a = planned_.aggregates.at(place.key);
    incoming r(m, request);
    r.together = &a;
    auto* const memory = segment_->memory_of(a.host);
    const auto* const theirs = segment_->memory_of(a.gatherer);
    for (const std::uint64_t slot : {0, 1}) {
      r.part[slot] = memory + aggregate_slot(a.hosted_at, a, slot) + place.at;
      if (theirs != nullptr) r.sent_from[slot] = theirs + aggregate_slot(a.gathered_at, a, slot) + place.at;
    }
    r.side = {segment_->notifications_of(a.host).at(a.arrival), turnstiles(memory + a.hosted_at), a.parts};
    return r;
  }

  /// A segment begins as zeros, which are turnstiles that no rank has passed.
  static turnstile<>* turnstiles(std::byte* memory) { return std::launder(reinterpret_cast<turnstile<>*>(memory)); }

  /// The number of the start for which a part was packed. It lies behind the part's message.
  static std::atomic_ref<std::uint64_t> packed_for(const std::byte* part, const detail::message_packing& message) {
    const auto at = (message.bytes() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) * sizeof(std::uint64_t);
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(const_cast<std::byte*>(part) + at));
  }

  void try_to_send(stage_part& part, plans::field_table fields, bool from_snapshot) {
    part.send_rest([&](outgoing& s) {
      const auto& a = *s.together;
      s.side.try_send(
          [&](std::uint64_t slot) {
            if (!from_snapshot)
              s.packing.pack(fields, s.part[slot]);
            else if (!s.snapshot.empty())
              std::memcpy(s.part[slot], s.snapshot.data(), s.snapshot.size());
            packed_for(s.part[slot], s.packing).store(part.start, std::memory_order_relaxed);
          },
          [&](std::uint64_t slot, std::uint32_t word) {
            segment_->write(a.host, aggregate_slot(a.hosted_at, a, slot), {s.whole[slot], a.bytes});
            to_tell_.push_back({a.host, a.arrival, word});
          });
    });
  }

  /// Runs `work`, and then tells the nodes. It tells them even if the user's code throws, because this rank may have
  /// packed last and must then send the messages of all others.
  template <class Work> void and_tell(Work&& work) {
    try {
      work();
    } catch (...) {
      try {
        tell();
      } catch (const error&) {  // the user's exception is the one to report
      }
      throw;
    }
    tell();
  }

  /// Notifies the other nodes. Each notification waits until the data before it has arrived; notifying all nodes in one
  /// call lets these waits overlap. If one node cannot be notified, the others are nevertheless.
  void tell() {
    if (to_tell_.empty()) return;
    try {
      segment_->notify(to_tell_);
    } catch (const error&) {
      for (const auto& one : to_tell_) try_to_tell(one);
      to_tell_.clear();
      throw;
    }
    to_tell_.clear();
  }
  void try_to_tell(const channels::segment_notice& one) {
    try {
      segment_->notify(one.to, one.id, one.value);
    } catch (const error&) {  // reported by the caller
    }
  }

  bool snapshot_;
  aggregation planned_;
  std::unique_ptr<byte_segment> segment_;
  std::vector<channels::segment_notice> to_tell_;  // reserved for all notifications of a stage
};

}  // namespace

std::unique_ptr<transports::carrier> bind_aggregated(const transports::bind_request& request) {
  return std::make_unique<aggregated_carrier>(request);
}

}  // namespace wherry
