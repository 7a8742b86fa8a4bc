// How long algorithms take and how much they send, against the figures of the literature: rounds in which a rank sends
// one message and receives one, and blocks (or whole vectors) that a rank sends.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "expected_results.hpp"
#include "harness/harness.hpp"

using namespace collective_tests;
using namespace wherry::collective;

namespace {

simulation done(const char* name, pattern what, int size, place more = {}) {
  const auto* found = find(name, what);
  REQUIRE(found != nullptr);
  more.size = size;
  auto all = begin({.what = found, .at = more, .sizes = block_sizes::equal, .combine = added, .seed = 0});
  CHECK_EQUAL(all.run(), "");
  return all;
}

int log_up(int n) { return n == 1 ? 0 : 1 + log_up((n + 1) / 2); }
int core(int n) { return n == 1 ? 1 : 2 * core(n / 2); }
bool is_power(int n) { return core(n) == n; }
// Of what is folded to a power of two.
int folded(int n) { return log_up(core(n)) + (is_power(n) ? 0 : 2); }

std::int64_t blocks_sent(const simulation& s) {
  std::int64_t sum = 0;
  for (const auto& r : s.ranks) sum += r.blocks_sent;
  return sum;
}
std::int64_t most_blocks_sent(const simulation& s) {
  std::int64_t most = 0;
  for (const auto& r : s.ranks) most = std::max(most, r.blocks_sent);
  return most;
}
int most_messages(const simulation& s) {
  int most = 0;
  for (const auto& r : s.ranks) most = std::max(most, r.messages);
  return most;
}

// All sizes from 2 to 64.
template <class Check> void for_sizes(Check&& check) {
  for (int size = 2; size <= 64; ++size) check(size);
}

}  // namespace

WHERRY_UNIT_TEST(trees_take_the_logarithm) {
  for_sizes([](int p) {
    for (const int root : {0, p / 2, p - 1}) {
      const auto bcast = done("binomial", pattern::bcast, p, {.root = root});
      CHECK_EQUAL(bcast.rounds(), log_up(p));
      CHECK_EQUAL(blocks_sent(bcast), p - 1);
      const auto reduce = done("binomial", pattern::reduce, p, {.root = root, .commutative = true});
      CHECK_EQUAL(reduce.rounds(), log_up(p));
      CHECK_EQUAL(blocks_sent(reduce), p - 1);
      const auto ordered = done("binomial", pattern::reduce, p, {.root = root});  // by way of rank 0
      CHECK_EQUAL(ordered.rounds(), log_up(p) + (root > 0 ? 1 : 0));
      for (const auto what : {pattern::gather, pattern::scatter}) {
        const auto all = done("binomial", what, p, {.root = root});
        CHECK_EQUAL(all.rounds(), log_up(p));
        if (is_power(p)) CHECK_EQUAL(blocks_sent(all), p / 2 * log_up(p));
      }
    }
    CHECK_EQUAL(done("binomial", pattern::allreduce, p).rounds(), 2 * log_up(p));
    CHECK_EQUAL(done("binomial", pattern::barrier, p).rounds(), 2 * log_up(p));
  });
}

WHERRY_UNIT_TEST(linear_algorithms_take_one_stage_and_a_message_a_pair) {
  for_sizes([](int p) {
    for (int what = 0; what < patterns; ++what) {
      const auto all = done("linear", static_cast<pattern>(what), p);
      CHECK_EQUAL(all.rounds(), p - 1);
      for (int r = 0; r < p; ++r) {
        auto at = all.at;
        at.rank = r;
        CHECK_EQUAL(all.what->stages(at), 1);
      }
    }
    CHECK_EQUAL(blocks_sent(done("linear", pattern::gather, p)), p - 1);
    CHECK_EQUAL(blocks_sent(done("linear", pattern::alltoall, p)), p * (p - 1));
  });
}

WHERRY_UNIT_TEST(rings_send_each_block_once) {
  for_sizes([](int p) {
    for (const auto what : {pattern::allgather, pattern::reduce_scatter}) {
      const auto all = done("ring", what, p, {.commutative = true});
      CHECK_EQUAL(all.rounds(), p - 1);
      for (const auto& r : all.ranks) CHECK_EQUAL(r.blocks_sent, p - 1);  // of p
    }
    const auto both = done("ring", pattern::allreduce, p, {.commutative = true});
    CHECK_EQUAL(both.rounds(), 2 * (p - 1));
    for (const auto& r : both.ranks) CHECK_EQUAL(r.blocks_sent, 2 * (p - 1));
    const auto bcast = done("ring", pattern::bcast, p);  // at most as much as the textbook's
    CHECK(bcast.rounds() <= log_up(p) + p - 1);
    CHECK(blocks_sent(bcast) <= blocks_sent(done("binomial", pattern::scatter, p)) + p * (p - 1));
    if (p % 2 == 0) {
      const auto neighbors = done("neighbor_exchange", pattern::allgather, p);
      CHECK_EQUAL(neighbors.rounds(), p / 2);
      for (const auto& r : neighbors.ranks) CHECK_EQUAL(r.blocks_sent, p - 1);
    }
  });
}

WHERRY_UNIT_TEST(doubling_takes_the_logarithm) {
  for_sizes([](int p) {
    CHECK_EQUAL(done("recursive_doubling", pattern::barrier, p).rounds(), folded(p));
    CHECK_EQUAL(done("dissemination", pattern::barrier, p).rounds(), log_up(p));
    const auto allreduce = done("recursive_doubling", pattern::allreduce, p);
    CHECK_EQUAL(allreduce.rounds(), folded(p));
    CHECK(most_messages(allreduce) <= log_up(core(p)) + 1);
    const auto doubling = done("recursive_doubling", pattern::allgather, p);
    CHECK_EQUAL(doubling.rounds(), folded(p));
    if (is_power(p)) CHECK_EQUAL(most_blocks_sent(doubling), p - 1);
    const auto bruck = done("bruck", pattern::allgather, p);
    CHECK_EQUAL(bruck.rounds(), log_up(p));
    for (const auto& r : bruck.ranks) CHECK_EQUAL(r.blocks_sent, p - 1);
    CHECK_EQUAL(done("recursive_doubling", pattern::scan, p).rounds(), log_up(p));
    CHECK_EQUAL(done("recursive_doubling", pattern::exscan, p).rounds(), 1 + log_up(p - 1));
    const auto alltoall = done("bruck", pattern::alltoall, p);
    CHECK_EQUAL(alltoall.rounds(), log_up(p));
    if (is_power(p)) CHECK_EQUAL(most_blocks_sent(alltoall), p / 2 * log_up(p));
    CHECK(most_blocks_sent(alltoall) <= (p + 1) / 2 * log_up(p));
  });
}

WHERRY_UNIT_TEST(halving_sends_a_vector_once) {
  for_sizes([](int p) {
    const int c = core(p), steps = log_up(c), extra = is_power(p) ? 0 : 1;
    const auto allreduce = done("rabenseifner", pattern::allreduce, p);
    CHECK_EQUAL(allreduce.rounds(), 2 * steps + 2 * extra);
    CHECK_EQUAL(most_blocks_sent(allreduce), 2 * (c - 1) + extra * c);
    for (const int root : {0, 1, p / 2, p - 1}) {
      const auto reduce = done("rabenseifner", pattern::reduce, p, {.root = root});
      CHECK_EQUAL(reduce.rounds(), 2 * steps + extra);
      CHECK(most_blocks_sent(reduce) <= std::max(2 * (c - 1), extra * c));
    }
    for (const bool commutative : {false, true}) {
      const auto halving = done("recursive_halving", pattern::reduce_scatter, p, {.commutative = commutative});
      CHECK_EQUAL(halving.rounds(), steps + 2 * extra);
      if (is_power(p)) CHECK_EQUAL(most_blocks_sent(halving), p - 1);
      CHECK(most_blocks_sent(halving) <= p);
    }
    const auto scattered = done("scatter_allgather", pattern::bcast, p);
    CHECK(scattered.rounds() <= 2 * log_up(p));
    CHECK(most_blocks_sent(scattered) <= 2 * (p - 1));
  });
}

WHERRY_UNIT_TEST(pairs_and_pipelines) {
  for_sizes([](int p) {
    for (const auto what : {pattern::alltoall, pattern::reduce_scatter}) {
      const auto all = done("pairwise", what, p, {.commutative = true});
      CHECK_EQUAL(all.rounds(), p - 1);
      for (const auto& r : all.ranks) CHECK_EQUAL(r.blocks_sent, p - 1);
    }
    for (const int segments : {1, 2, 9, 30}) {
      for (const auto what : {pattern::bcast, pattern::reduce, pattern::scan}) {
        const auto all = done("chain", what, p, {.segments = segments, .commutative = true});
        CHECK_EQUAL(all.rounds(), p - 2 + segments);
        CHECK_EQUAL(most_blocks_sent(all), segments);
      }
      const auto ordered = done("chain", pattern::reduce, p, {.root = p / 2, .segments = segments});
      CHECK(ordered.rounds() <= p / 2 + 2 * segments);
    }
  });
}

// Memory is asked for what is needed, where an algorithm says how much that is.
WHERRY_UNIT_TEST(nobody_holds_blocks_that_it_does_not_touch) {
  for (const auto& what : algorithms())
    for (int size = 2; what.held_by != nullptr && size <= 33; ++size)
      for (const int root : {0, size / 2, size - 1})
        for (const bool commutative : {false, true}) {
          place at{.size = size, .root = root, .segments = 3, .commutative = commutative};
          if (!what.can(at) || (what.name == "recursive_halving" && !commutative))
            continue;  // no range: every 2nd block
          const auto all = done(what.name.data(), what.pattern, size, at);
          for (at.rank = 0; at.rank < size; ++at.rank) {
            const auto held = what.held(at);
            for (int i = 0; i < held.count; ++i)
              if (!CHECK(all.ranks[static_cast<std::size_t>(at.rank)]
                             .touched[static_cast<std::size_t>((held.first + i) % what.blocks(at))]))
                FAIL(all.name() + ": rank " + std::to_string(at.rank));
          }
        }
}
