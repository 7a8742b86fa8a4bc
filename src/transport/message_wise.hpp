// The common part of the carriers that move the messages of a stage one by one: the messages themselves, the counts of
// those that are still to leave and to arrive, and the order in which they are delivered.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry {

/// A message in one direction that is packed as a whole.
struct packed_leg {
  int peer = 0;
  detail::message_packing packing;

  packed_leg(const plans::message& m, const transports::bind_request& request)
      : peer(m.peer), packing(m, request.plan, request.kernels, request.code) {}
};

/// True if one side of a message (notified_channel.hpp and its like) is done with its start.
template <class Side> bool is_done(const Side& side) { return side.now() == Side::phase::done; }

/// The messages of one stage. A message has a `side`, unless a derived class says in another way what is missing.
template <class Outgoing, class Incoming> struct stage_messages {
  std::vector<Outgoing> sends;
  std::vector<Incoming> receives;
  std::uint64_t start = 0;  // the number of the current start
  std::size_t unsent = 0, undelivered = 0;
  bool in_order = false;  // reductions are applied in the plan's order, so that floats come out identical

  bool is_complete() const { return unsent == 0 && undelivered == 0; }
  bool is_missing(const Incoming& r) const { return r.side.is_missing(); }
  bool is_leaving(const Outgoing& s) const { return !is_done(s.side); }

  void begin(std::uint64_t number) {
    start = number;
    unsent = sends.size();
    undelivered = receives.size();
    for (auto& r : receives) r.side.begin(start);
    for (auto& s : sends) s.side.begin(start);
  }

  /// Calls `send` for each message that has not left.
  template <class Send> void send_rest(Send&& send) {
    if (unsent > 0) unsent = rest_of(sends, send);
  }

  /// Calls `receive` for each message that is not delivered, or for none while the order must be kept and one is
  /// missing.
  template <class Receive> void receive_rest(Receive&& receive) {
    if (undelivered == 0) return;
    if (in_order && std::any_of(receives.begin(), receives.end(), [this](const auto& r) { return is_missing(r); }))
      return;
    undelivered = rest_of(receives, receive);
  }

 private:
  /// Calls `work` for each message that is not done, and returns the number of those that are still not.
  template <class Leg, class Work> static std::size_t rest_of(std::vector<Leg>& legs, Work&& work) {
    std::size_t rest = 0;
    for (auto& l : legs) {
      if (!is_done(l.side)) work(l);
      rest += is_done(l.side) ? 0 : 1;
    }
    return rest;
  }
};

/// @tparam Stage is or extends `stage_messages`
template <class Stage> class message_wise : public transports::carrier {
 public:
  bool owes(std::size_t number) const override { return stages_[number].unsent > 0; }

  void append_missing(std::size_t number, std::vector<int>& peers) const override {
    const auto& part = stages_[number];
    for (const auto& r : part.receives)
      if (part.is_missing(r)) peers.push_back(r.peer);
    for (const auto& s : part.sends)
      if (part.is_leaving(s)) peers.push_back(s.peer);
  }

 protected:
  /// Makes the messages of all stages: calls `receive(stage, message)` and `send(stage, message)`, which return them.
  template <class Receive, class Send>
  void make_stages(const transports::bind_request& request, Receive&& receive, Send&& send) {
    for (const auto& part : request.stages) {
      auto& mine = stages_.emplace_back();
      for (const auto& m : part.receives) {
        mine.receives.push_back(receive(mine, m));
        mine.in_order = mine.in_order || request.code.combines(m.operation);
      }
      for (const auto& m : part.sends) mine.sends.push_back(send(mine, m));
    }
  }

  std::vector<Stage> stages_;
};

}  // namespace wherry
