// The transport `gpi2`: a message is packed into this rank's own segment, GASPI writes it from there to the peer's
// segment, and the peer is notified; there is no receive call. notified_channel.hpp has the protocol of the two sides.
// Nothing here waits: requests that GASPI's queues do not take now, and messages without credit, are left to
// `test_stage`.
#include "gpi2_carrier.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "wherry/plan/copy_engine.hpp"

#include "channel/notified_channel.hpp"
#include "holdings.hpp"
#include "runtime.hpp"
#include "transport/message_wise.hpp"
#include "transport/notified_leg.hpp"
#include "transport/staging.hpp"

namespace wherry {
namespace gpi2 {
namespace {

struct leg : notified_leg {
  using notified_leg::notified_leg;
  gaspi_rank_t rank = 0;  // the peer's
  posting_queue* queue = nullptr;
  std::uint32_t word = 0;    // the value of the next notification
  std::uint64_t ticket = 0;  // of the last request

  auto remote_segment() const { return static_cast<gaspi_segment_id_t>(remote.segment); }
};

using sending = notified_sender<taken_words>;
using receiving = notified_receiver<taken_words>;

enum class packed { not_yet, aside, on_wire };

struct outgoing : leg {
  using leg::leg;
  std::size_t wire = 0;           // in this rank's segment
  std::vector<std::byte> before;  // with `snapshot`: the packed message while the wire is not free
  packed is = packed::not_yet;
  std::uint64_t slot = 0;
  std::size_t sent = 0;  // bytes sent, if it takes more than one request
  sending side;
};

struct incoming : leg {
  using leg::leg;
  receiving side;
};

struct stage_part : stage_messages<outgoing, incoming> {
  std::size_t bytes = 0;
  holding::part* held = nullptr;
};

/// Marks the holding as unused when this rank's exchange is gone, even if the bind has failed. Peers may still write to
/// it, so it is given back later (holdings.hpp).
struct owned_holding {
  std::shared_ptr<holding> held = std::make_shared<holding>();

  owned_holding() = default;
  owned_holding(const owned_holding&) = delete;
  owned_holding& operator=(const owned_holding&) = delete;
  ~owned_holding() { held->is_unused.store(true, std::memory_order_release); }
  holding* operator->() const { return held.get(); }
};

class gpi2_carrier final : public message_wise<stage_part> {
 public:
  explicit gpi2_carrier(const transports::bind_request& request)
      : who_{request.plan.pattern, request.comm.rank()}, snapshot_(request.snapshot) {
    const auto all = holdings::of(request.comm);
    detail::collectively(request.comm, request.plan.pattern, [&] {
      now_ = &runtime::required(who_);
      lay_out(request);
    });
    all->make_room(request.comm, [&] { return now_->heap().has(wanted()); });
    all->add(mine_.held);
    detail::collectively(request.comm, request.plan.pattern, [&] {
      take_places();
      let_peers_in(request);
    });
    tell_places(request, stages_);
  }

  ~gpi2_carrier() override {
    for (const auto& part : stages_)
      for (const auto& s : part.sends) mine_->last_requests.emplace_back(s.queue, s.ticket);
  }

  void start_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    part.begin(++part.held->starts);
    for (auto& s : part.sends) {
      s.is = packed::not_yet;
      s.sent = 0;
    }
    part.held->places.take(who_);  // which may bring credit
    push(part, fields);
    for (auto& s : part.sends)
      if (s.side.now() == sending::phase::needs_credit && snapshot_) pack_now(s, part.held->places.mine(), fields);
  }

  void send_owed(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    if (part.unsent == 0) return;
    part.held->places.take(who_);
    push(part, fields);
  }

  bool test_stage(std::size_t number, plans::field_table fields) override {
    auto& part = stages_[number];
    if (part.is_complete()) return true;
    part.held->places.take(who_);
    push(part, fields);
    pull(part, fields);
    return part.is_complete();
  }

  bool owes_from_fields(std::size_t number) const override {
    const auto& sends = stages_[number].sends;
    return std::any_of(sends.begin(), sends.end(),
                       [](const outgoing& s) { return !is_done(s.side) && s.is == packed::not_yet; });
  }

 private:
  void lay_out(const transports::bind_request& request) {
    std::size_t all = 0;
    make_stages(
        request,
        [&](stage_part& part, const plans::message& m) {
          incoming r(m, request);
          take_slots(r, part.bytes);
          return r;
        },
        [&](stage_part& part, const plans::message& m) {
          outgoing s(m, request);
          s.wire = std::exchange(part.bytes, part.bytes + in_lines(s.packing.bytes()));
          all += snapshot_ ? s.packing.bytes() : 0;
          return s;
        });
    for (const auto& part : stages_) all += part.bytes;
    require_staging(request, all);
  }

  std::vector<std::pair<std::size_t, gaspi_number_t>> wanted() const {
    std::vector<std::pair<std::size_t, gaspi_number_t>> all;
    for (const auto& part : stages_)
      all.emplace_back(part.bytes, static_cast<gaspi_number_t>(part.sends.size() + part.receives.size()));
    return all;
  }

  /// Takes the places of all stages in this rank's segments.
  void take_places() {
    for (auto& part : stages_) {
      part.held = &mine_->stages.emplace_back(who_, part.bytes, part.sends.size(), part.receives.size());
      const auto& places = part.held->places;
      const auto& at = places.mine();
      for (std::size_t i = 0; i < part.sends.size(); ++i) {
        auto& s = part.sends[i];
        s.side = sending(places.credit(i));
        s.mine = {{}, places.credit_id(i), at.segment};
        if (snapshot_) s.before.resize(s.packing.bytes());
      }
      for (std::size_t i = 0; i < part.receives.size(); ++i) {
        auto& r = part.receives[i];
        r.side = receiving(places.arrival(i));
        r.mine = {{at.offset + r.mine.slot[0], at.offset + r.mine.slot[1]}, places.arrival_id(i), at.segment};
      }
    }
  }

  template <class Work> void for_each_leg(Work&& work) {
    for (auto& part : stages_) {
      for (auto& r : part.receives) work(part, r);
      for (auto& s : part.sends) work(part, s);
    }
  }

  void let_peers_in(const transports::bind_request& request) {
    std::vector<int> peers;
    for_each_leg([&](stage_part&, const leg& l) { peers.push_back(l.peer); });
    const auto ranks = ranks_in_gaspi(request.comm, who_, peers);
    std::size_t next = 0;
    for_each_leg([&](stage_part& part, leg& l) {
      l.rank = ranks[next++];
      l.queue = &now_->queue_to(l.rank);
      now_->heap().let_in(request.comm, who_, part.held->places.mine().segment, l.peer, l.rank);
    });
  }

  /// Posts a request to the leg's peer. Returns false if it must be tried again.
  template <class Request> bool post(leg& l, std::string_view call, Request&& request) {
    return succeeded(l, call, l.queue->post(std::forward<Request>(request), l.ticket));
  }
  bool succeeded(const leg& l, std::string_view call, gaspi_return_t status) const {
    if (status == GASPI_SUCCESS) return true;
    if (status != GASPI_TIMEOUT) throw_failure(who_, call, status, l.peer, l.rank);
    return false;
  }

  void push(stage_part& part, plans::field_table fields) {
    const auto& at = part.held->places.mine();
    part.send_rest([&](outgoing& s) {
      if (s.side.now() == sending::phase::needs_credit && !has_free_wire(s)) return;
      s.side.try_put([&](std::uint64_t slot) {
        s.slot = slot;
        pack(s, at, fields);
      });
      s.side.try_notify([&] { return has_written_all_but_last(s, at); }, [&](std::uint32_t word) { s.word = word; });
      s.side.try_end([&] { return has_written_last(s, at); });
    });
  }

  /// True if GASPI no longer reads the message that was sent before.
  bool has_free_wire(outgoing& s) { return succeeded(s, "gaspi_wait", s.queue->is_done(s.ticket)); }

  void pack(outgoing& s, const piece& at, plans::field_table fields) {
    auto* const wire = at.memory + s.wire;
    if (s.is == packed::not_yet) s.packing.pack(fields, wire);
    if (s.is == packed::aside && !s.before.empty()) std::memcpy(wire, s.before.data(), s.before.size());
    s.is = packed::on_wire;
  }

  void pack_now(outgoing& s, const piece& at, plans::field_table fields) {
    if (has_free_wire(s)) return pack(s, at, fields);
    s.packing.pack(fields, s.before.data());
    s.is = packed::aside;
  }

  bool has_written_all_but_last(outgoing& s, const piece& at) {
    const auto most = now_->most_bytes();
    while (s.packing.bytes() - s.sent > most) {
      const bool posted = post(s, "gaspi_write", [&] {
        return gaspi_write(at.segment, at.offset + s.wire + s.sent, s.rank, s.remote_segment(),
                           s.remote.slot[s.slot] + s.sent, most, s.queue->id(), GASPI_TEST);
      });
      if (!posted) return false;
      s.sent += most;
    }
    return true;
  }

  bool has_written_last(outgoing& s, const piece& at) {
    const auto rest = s.packing.bytes() - s.sent;
    if (rest == 0) return has_notified(s);
    return post(s, "gaspi_write_notify", [&] {
      return gaspi_write_notify(at.segment, at.offset + s.wire + s.sent, s.rank, s.remote_segment(),
                                s.remote.slot[s.slot] + s.sent, rest, s.remote.notification, s.word, s.queue->id(),
                                GASPI_TEST);
    });
  }

  bool has_notified(leg& l) {
    return post(l, "gaspi_notify", [&] {
      return gaspi_notify(l.remote_segment(), l.rank, l.remote.notification, l.word, l.queue->id(), GASPI_TEST);
    });
  }

  void pull(stage_part& part, plans::field_table fields) {
    auto* const segment = part.held->places.mine().memory - part.held->places.mine().offset;
    part.receive_rest([&](incoming& r) {
      r.side.try_receive([&](std::uint64_t slot) { r.packing.unpack(fields, segment + r.mine.slot[slot]); },
                         [&](std::uint32_t word) { r.word = word; }, [&] { return has_notified(r); });
    });
  }

  caller who_;
  bool snapshot_;
  runtime* now_ = nullptr;
  owned_holding mine_;
};

}  // namespace
}  // namespace gpi2

std::unique_ptr<transports::carrier> bind_gpi2(const transports::bind_request& request) {
  return std::make_unique<gpi2::gpi2_carrier>(request);
}

}  // namespace wherry
