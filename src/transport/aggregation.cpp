// How the ranks of two nodes agree on an aggregate. On either node, one rank that all know without asking learns of all
// messages between the two nodes. It puts them in an order that is the same on both sides, and tells each rank its
// place. Then the ranks that have memory for aggregates tell the others where it is.
#include "aggregation.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "wherry/core/hash.hpp"

#include "bind_mail.hpp"
#include "channel/aggregated_channel.hpp"
#include "core/cache_line.hpp"
#include "core/collective.hpp"
#include "core/sparse_exchange.hpp"

namespace wherry {
namespace {

constexpr std::uint64_t part_bytes(std::uint64_t message) { return in_lines(message + 2 * sizeof(std::uint64_t) - 1); }
constexpr std::size_t before_slots = 2 * sizeof(turnstile<>);

/// A message, as its rank describes it.
struct told_message {
  aggregate_key key;
  std::int32_t sender = 0, receiver = 0;
  std::uint64_t bytes = 0;
  std::uint32_t number = 0;  // in its rank's list
  std::uint32_t is_send = 0;
};

/// The answer: a message and its place.
struct placed_message {
  told_message what;
  std::uint64_t at = 0, bytes = 0;
  std::uint32_t parts = 0;
  std::int32_t gatherer = 0, host = 0;
};

/// The message from a rank that has memory for an aggregate to all ranks that take part in it.
struct told_memory {
  aggregate_key key;
  std::uint64_t at = 0;
  std::int32_t notification = 0;
  std::uint32_t is_host = 0;
};

/// Picks a rank of the list. The hash spreads the pairs of nodes over the ranks.
int one_of(const std::vector<int>& ranks, const aggregate_key& key) {
  const auto drawn = shape_hash().add(key.stage).add(key.from_node).add(key.to_node).value();
  return ranks[static_cast<std::size_t>(drawn % ranks.size())];
}

class planner {
 public:
  explicit planner(const transports::bind_request& request) : request_(request), comm_(request.comm) {}

  aggregation plan() {
    tell_nodes();
    place_messages();
    tell_memory();
    return std::move(result_);
  }

 private:
  int my_node() const { return comm_.node_ranks().front(); }

  /// Tells each peer the node of this rank, and learns the peer's node.
  void tell_nodes() {
    const std::int32_t mine = my_node();
    std::set<int> peers;
    for (const auto& part : request_.stages)
      for (const auto* list : {&part.sends, &part.receives})
        for (const auto& m : *list) peers.insert(m.peer);
    bind_mail mail(request_);
    for (const int peer : peers) mail.send(peer, &mine, 1);
    for (const int peer : peers) mail.receive(peer, &node_of_[peer], 1);
    mail.finish();
  }

  std::vector<told_message> my_messages() {
    std::vector<told_message> all;
    std::int32_t stage = 0;
    for (const auto& part : request_.stages) {
      const auto tell = [&](const std::vector<plans::message>& list, bool is_send) {
        std::uint32_t number = 0;
        for (const auto& m : list) {
          told_message t;
          t.key = {stage, is_send ? my_node() : node_of_[m.peer], is_send ? node_of_[m.peer] : my_node()};
          t.sender = is_send ? comm_.rank() : m.peer;
          t.receiver = is_send ? m.peer : comm_.rank();
          t.bytes = static_cast<std::uint64_t>(request_.plan.bytes_of(m));
          t.number = number++;
          t.is_send = is_send ? 1 : 0;
          all.push_back(t);
        }
      };
      tell(part.sends, true);
      tell(part.receives, false);
      result_.sends.emplace_back(part.sends.size());
      result_.receives.emplace_back(part.receives.size());
      ++stage;
    }
    return all;
  }

  void place_messages() {
    std::map<int, std::vector<told_message>> told;
    for (const auto& t : my_messages()) told[one_of(comm_.node_ranks(), t.key)].push_back(t);
    std::map<std::pair<aggregate_key, std::uint32_t>, std::vector<told_message>> together;
    for (const auto& t : exchange(told)) together[{t.key, t.is_send}].push_back(t);
    std::map<int, std::vector<placed_message>> placed;
    for (auto& [key, list] : together) place(list, placed);
    for (const auto& p : exchange(placed)) take(p);
  }

  /// Puts the messages of an aggregate in order. Both sides have the same list, except for the numbers.
  static void place(std::vector<told_message>& list, std::map<int, std::vector<placed_message>>& placed) {
    std::sort(list.begin(), list.end(), [](const told_message& a, const told_message& b) {
      return std::tuple(a.sender, a.receiver, a.number) < std::tuple(b.sender, b.receiver, b.number);
    });
    std::vector<int> senders, receivers;
    std::uint64_t end = 0;
    for (const auto& t : list) {
      senders.push_back(t.sender);
      receivers.push_back(t.receiver);
      end += part_bytes(t.bytes);
    }
    const auto& key = list.front().key;
    const int gatherer = one_of(senders, key), host = one_of(receivers, key);
    const bool is_send = list.front().is_send != 0;
    std::uint64_t at = 0;
    for (const auto& t : list) {
      const placed_message p{t, at, end, static_cast<std::uint32_t>(list.size()), gatherer, host};
      placed[is_send ? t.sender : t.receiver].push_back(p);
      at += part_bytes(t.bytes);
      // The rank with the memory must know all ranks that take part.
      const int keeper = is_send ? gatherer : host;
      if (keeper != (is_send ? t.sender : t.receiver)) placed[keeper].push_back(p);
    }
  }

  void take(const placed_message& p) {
    const auto& t = p.what;
    const bool is_send = t.is_send != 0;
    auto& known = result_.aggregates[t.key];
    known.bytes = p.bytes;
    known.parts = p.parts;
    known.gatherer = p.gatherer;
    known.host = p.host;
    if ((is_send ? t.sender : t.receiver) == comm_.rank()) {
      auto& mine = is_send ? result_.sends : result_.receives;
      mine[static_cast<std::size_t>(t.key.stage)][t.number] = {t.key, p.at};
    }
    if ((is_send ? p.gatherer : p.host) != comm_.rank()) return;
    auto& all = kept_[{t.key, is_send ? 0u : 1u}];
    all.insert(t.sender);
    all.insert(t.receiver);
  }

  void tell_memory() {
    std::map<int, std::vector<told_memory>> told;
    int notifications = 0;
    for (const auto& [which, ranks] : kept_) {
      const auto& [key, is_host] = which;
      const told_memory memory{key, result_.segment_bytes, notifications++, is_host};
      result_.segment_bytes += before_slots + 2 * static_cast<std::size_t>(result_.aggregates[key].bytes);
      for (const int rank : ranks) told[rank].push_back(memory);
    }
    for (const auto& m : exchange(told)) {
      auto& known = result_.aggregates[m.key];
      (m.is_host != 0 ? known.hosted_at : known.gathered_at) = m.at;
      (m.is_host != 0 ? known.arrival : known.credit) = m.notification;
    }
    result_.notifications =
        patient::allreduce(comm_, request_.plan.pattern, std::vector{notifications}, patient::most)[0];
  }

  template <class T> std::vector<T> exchange(const std::map<int, std::vector<T>>& mine) const {
    bytes_by_peer bytes;
    for (const auto& [peer, list] : mine) bytes[peer] = to_bytes(list);
    std::vector<T> all;
    for (const auto& [peer, list] : exchange_sparsely(comm_, std::move(bytes), request_.plan.pattern)) {
      const auto come = from_bytes<T>(list);
      all.insert(all.end(), come.begin(), come.end());
    }
    return all;
  }

  const transports::bind_request& request_;
  const communicator& comm_;
  std::map<int, std::int32_t> node_of_;
  // The aggregates with memory on this rank, and the ranks that take part in them.
  std::map<std::pair<aggregate_key, std::uint32_t>, std::set<int>> kept_;
  aggregation result_;
};

}  // namespace

aggregation plan_aggregation(const transports::bind_request& request) { return planner(request).plan(); }

std::size_t aggregate_slot(std::size_t at, const aggregate& a, std::uint64_t slot) {
  return at + before_slots + static_cast<std::size_t>(slot * a.bytes);
}

}  // namespace wherry
