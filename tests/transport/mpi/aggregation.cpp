// Which messages travel together: both nodes see the same, each message has a place of its own, and there is one of
// them for each pair of nodes that has messages.
#include "transport/aggregation.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "wherry/plan/copy_engine.hpp"
#include "wherry/plan/functions.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

int bytes_between(std::uint64_t seed, int from, int to) {
  const auto drawn = hash(seed, from, to);
  return from == to || drawn % 3 == 0 ? 0 : static_cast<int>(drawn % 200) + 1;
}

wherry::plans::schedule random_plan(std::uint64_t seed, int rank, int size) {
  wherry::plans::schedule plan;
  plan.pattern = "random messages";
  plan.fields.emplace_back();
  plan.stages.emplace_back();
  for (int peer = 0; peer < size; ++peer) {
    wherry::plans::block piece;
    piece.run = bytes_between(seed, rank, peer);
    if (piece.run > 0) plan.stages[0].sends.push_back(plan.make_message(peer, wherry::detail::store, {&piece, 1}));
    piece.run = bytes_between(seed, peer, rank);
    if (piece.run > 0) plan.stages[0].receives.push_back(plan.make_message(peer, wherry::detail::store, {&piece, 1}));
  }
  return plan;
}

/// What a rank knows of one of its messages.
struct known {
  int from, to, from_node, to_node, gatherer, host;
  unsigned long long at, bytes, parts, gathered_at, hosted_at;
  int credit, arrival, is_send;
};

std::vector<known> all_that_is_known(const context& test, const wherry::plans::schedule& plan,
                                     const wherry::aggregation& a) {
  std::vector<known> mine;
  const auto tell = [&](const wherry::aggregate_part& part, int peer, bool is_send) {
    const auto& g = a.aggregates.at(part.key);
    mine.push_back({is_send ? test.rank : peer, is_send ? peer : test.rank, part.key.from_node, part.key.to_node,
                    g.gatherer, g.host, part.at, g.bytes, g.parts, g.gathered_at, g.hosted_at, g.credit, g.arrival,
                    is_send ? 1 : 0});
  };
  for (std::size_t i = 0; i < a.sends[0].size(); ++i) tell(a.sends[0][i], plan.stages[0].sends[i].peer, true);
  for (std::size_t i = 0; i < a.receives[0].size(); ++i) tell(a.receives[0][i], plan.stages[0].receives[i].peer, false);
  const int bytes = static_cast<int>(mine.size() * sizeof(known));
  std::vector<int> counts(static_cast<std::size_t>(test.size)), places(counts.size());
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, test.comm);
  int end = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) places[r] = std::exchange(end, end + counts[r]);
  std::vector<known> all(static_cast<std::size_t>(end) / sizeof(known));
  MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, all.data(), counts.data(), places.data(), MPI_BYTE, test.comm);
  return all;
}

}  // namespace

WHERRY_TEST(what_travels_together_is_the_same_on_both_nodes, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for_each_case(test, 20, [&](random_case& one) {
    const wherry::communicator comm(nodes.pick(one.random));
    const auto seed = one.random.next();
    const auto plan = random_plan(seed, test.rank, test.size);
    wherry::detail::shape_kernels kernels(plan);
    const wherry::plans::functions code;
    const auto mine = wherry::plan_aggregation({comm, plan, plan.stages, kernels, code, comm.next_tag(), false});
    const auto all = all_that_is_known(test, plan, mine);
    std::vector<int> node_of(static_cast<std::size_t>(test.size));
    const int my_node = comm.node_ranks().front();
    MPI_Allgather(&my_node, 1, MPI_INT, node_of.data(), 1, MPI_INT, test.comm);
    const auto node = [&](int rank) { return node_of[static_cast<std::size_t>(rank)]; };
    struct together {
      known first;
      std::map<std::pair<int, int>, unsigned long long> places[2];  // as the receivers, the senders see them
    };
    std::map<std::pair<int, int>, together> found;
    for (const auto& k : all) {
      CHECK_EQUAL(k.from_node, node(k.from));
      CHECK_EQUAL(k.to_node, node(k.to));
      CHECK_EQUAL(node(k.gatherer), k.from_node);
      CHECK_EQUAL(node(k.host), k.to_node);
      auto& t = found.try_emplace({k.from_node, k.to_node}, together{k, {}}).first->second;
      const auto same = [](const known& a, const known& b) {
        return a.gatherer == b.gatherer && a.host == b.host && a.bytes == b.bytes && a.parts == b.parts &&
               a.gathered_at == b.gathered_at && a.hosted_at == b.hosted_at && a.credit == b.credit &&
               a.arrival == b.arrival;
      };
      CHECK(same(k, t.first));
      t.places[k.is_send][{k.from, k.to}] = k.at;
    }
    std::size_t messages = 0;
    for (const auto& [pair, t] : found) {
      CHECK(t.places[0] == t.places[1]);
      CHECK_EQUAL(t.places[0].size(), t.first.parts);
      messages += t.places[0].size();
      std::vector<std::pair<unsigned long long, unsigned long long>> spans;
      for (const auto& [ranks_of, at] : t.places[0])
        spans.push_back(
            {at, at + static_cast<unsigned long long>(bytes_between(seed, ranks_of.first, ranks_of.second))});
      std::sort(spans.begin(), spans.end());
      for (std::size_t i = 1; i < spans.size(); ++i) CHECK(spans[i - 1].second <= spans[i].first);
      CHECK(spans.back().second <= t.first.bytes);
    }
    std::size_t wanted = 0;
    for (int from = 0; from < test.size; ++from)
      for (int to = 0; to < test.size; ++to) wanted += bytes_between(seed, from, to) > 0 ? 1 : 0;
    CHECK_EQUAL(messages, wanted);
  });
}
