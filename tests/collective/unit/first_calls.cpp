// Which implementation the first calls choose, with times that are made up, and what becomes of a list of rules.
#include "collective/first_calls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "wherry/collective/tuning.hpp"

#include "collective/found_choices.hpp"
#include "collective/rule_ranges.hpp"
#include "collective/trial.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::collective::found_choice;
using wherry::collective::kind;
using wherry::collective::trial;
using wherry::collective::tuned_rule;

namespace {

/// What a call by a candidate takes.
using clock_of = std::function<double(int candidate)>;

/// Until it is decided. @returns the candidates in their turns
std::vector<int> let_run(trial& one, const clock_of& us) {
  std::vector<int> turns;
  while (!one.is_decided()) {
    if (one.is_due()) {
      one.agree(one.times());
      continue;
    }
    turns.push_back(one.candidate());
    one.begin_turn();
    const double taken = us(turns.back());
    if (std::isfinite(taken)) one.end_turn(taken);
  }
  return turns;
}

std::vector<int> so_many(int candidates) {
  std::vector<int> all;
  for (int i = 0; i < candidates; ++i) all.push_back(i);
  return all;
}

struct plain_rule {
  std::int64_t from;
  char what;
};

std::string put(std::vector<plain_rule> rules, plain_rule one, std::int64_t to) {
  wherry::collective::put_between(rules, one, to, {0, '-'});
  std::string said;
  for (const auto& rule : rules) said += std::to_string(rule.from) + rule.what + " ";
  return said;
}

}  // namespace

WHERRY_UNIT_TEST(the_fastest_is_chosen) {
  random_numbers random(test.seed);
  for (int round = 0; round < 200; ++round) {
    const int candidates = random.between(2, 12), best = random.between(1, candidates - 1);
    trial one(so_many(candidates));
    const auto turns = let_run(one, [&](int candidate) {
      const double noise = random.between(0, 100) * 0.001;
      return (candidate == best ? 1.0 : 1.5 + candidate % 3) + noise;
    });
    CHECK_EQUAL(one.winner(), best);
    CHECK(one.us_of_winner() < one.us_of_mpi());
    CHECK(turns.size() <= 100);
  }
}

WHERRY_UNIT_TEST(what_is_slower_than_mpi_is_never_chosen) {
  random_numbers random(test.seed);
  for (int round = 0; round < 2000; ++round) {
    trial one(so_many(random.between(1, 12)));
    const int often = random.between(0, 60);
    let_run(one, [&](int candidate) {  // half as slow again, and a machine on which any call may take ten times as long
      const double us = candidate == 0 ? 1.0 : 1.5;
      return us * (random.chance(often) ? random.between(10, 100) * 0.1 : 1);
    });
    if (often <= 20) CHECK_EQUAL(one.winner(), 0);
  }
}

WHERRY_UNIT_TEST(noise_is_no_reason) {
  random_numbers random(test.seed);
  int others = 0;
  for (int round = 0; round < 1000; ++round) {
    trial one(so_many(6));
    let_run(one, [&](int) { return 1 + random.between(0, 1000) * 0.001; });  // all alike
    if (one.winner() != 0) ++others;
  }
  CHECK(others < 30);
}

WHERRY_UNIT_TEST(luck_does_not_come_twice) {
  trial one({0, 7, 9});
  int calls = 0;
  let_run(one, [&](int candidate) { return candidate == 7 && ++calls <= 3 + 8 ? 0.5 : 1.0; });
  CHECK_EQUAL(one.winner(), 0);
}

WHERRY_UNIT_TEST(what_is_hopeless_gets_few_calls) {
  trial one({0, 3, 5});
  const auto turns = let_run(one, [](int candidate) { return candidate == 5 ? 1000.0 : candidate == 3 ? 1.0 : 2.0; });
  CHECK_EQUAL(one.winner(), 3);
  CHECK_EQUAL(std::count(turns.begin(), turns.end(), 5), 3);
  CHECK_EQUAL(std::count(turns.begin(), turns.end(), 0), std::count(turns.begin(), turns.end(), 3));
}

WHERRY_UNIT_TEST(a_first_call_that_is_slow_does_not_matter) {
  trial one({0, 3});
  bool first = true;
  let_run(one, [&](int candidate) { return candidate == 0 ? 2.0 : std::exchange(first, false) ? 1e6 : 1.0; });
  CHECK_EQUAL(one.winner(), 3);
}

WHERRY_UNIT_TEST(calls_that_fail_have_taken_for_ever) {
  for (const bool all : {false, true}) {
    trial one({0, 3});
    let_run(one, [&](int candidate) { return candidate == 3 || all ? std::numeric_limits<double>::infinity() : 1.0; });
    CHECK_EQUAL(one.winner(), 0);
  }
}

WHERRY_UNIT_TEST(mpi_alone_needs_no_trial) {
  const trial one({0});
  CHECK(one.is_decided());
  CHECK_EQUAL(one.winner(), 0);
}

// Ranks have times of their own, and agree on the slowest: then they have the same turns.
WHERRY_UNIT_TEST(all_ranks_take_the_same_turns) {
  random_numbers random(test.seed);
  for (int round = 0; round < 50; ++round) {
    const int candidates = random.between(2, 12);
    std::vector<trial> ranks(3, trial(so_many(candidates)));
    while (!ranks.front().is_decided()) {
      if (ranks.front().is_due()) {
        auto slowest = ranks.front().times();
        for (const auto& one : ranks)
          for (std::size_t i = 0; i < slowest.size(); ++i) slowest[i] = std::max(slowest[i], one.times()[i]);
        for (auto& one : ranks) one.agree(slowest);
      } else {
        const int candidate = ranks.front().candidate();
        for (auto& one : ranks) {
          REQUIRE(one.candidate() == candidate);
          one.begin_turn();
          one.end_turn(candidate + random.between(1, 100) * 0.01);
        }
      }
      for (const auto& one : ranks) CHECK_EQUAL(one.is_due(), ranks.front().is_due());
    }
    for (const auto& one : ranks) CHECK_EQUAL(one.winner(), ranks.front().winner());
  }
}

WHERRY_UNIT_TEST(a_rule_between_two_sizes_leaves_the_others) {
  CHECK_EQUAL(put({}, {8, 'x'}, 16), "8x 16- ");
  CHECK_EQUAL(put({{0, 'a'}}, {8, 'x'}, 16), "0a 8x 16a ");
  CHECK_EQUAL(put({{0, 'a'}, {8, 'b'}}, {8, 'x'}, 16), "0a 8x 16b ");
  CHECK_EQUAL(put({{0, 'a'}, {10, 'b'}, {12, 'c'}, {20, 'd'}}, {8, 'x'}, 16), "0a 8x 16c 20d ");
  CHECK_EQUAL(put({{0, 'a'}, {16, 'b'}}, {8, 'x'}, 16), "0a 8x 16b ");
  CHECK_EQUAL(put({{0, 'a'}, {32, 'b'}}, {0, 'x'}, 1), "0x 1a 32b ");
  CHECK_EQUAL(put({{64, 'a'}}, {8, 'x'}, 16), "8x 16- 64a ");
  constexpr auto all_sizes = std::numeric_limits<std::int64_t>::max();
  CHECK_EQUAL(put({}, {0, 'x'}, all_sizes), "0x ");
  CHECK_EQUAL(put({{0, 'a'}, {10, 'b'}}, {0, 'x'}, all_sizes), "0x ");
}

WHERRY_UNIT_TEST(what_was_found_goes_above_what_the_file_says) {
  const std::vector<tuned_rule> file{{kind::bcast, 0, "mpi"}, {kind::bcast, 1024, "chain"}, {kind::scan, 0, "shared"}};
  const std::vector<found_choice> found{{kind::bcast, 8, 16, "shared"},
                                        {kind::bcast, 16, 32, "shared"},
                                        {kind::barrier, 0, 1, "mpi"},
                                        {kind::bcast, 2048, 4096, "mpi"}};
  const auto text = wherry::collective::with_tuning("", wherry::collective::with_found(file, found), 4, 1, "here");
  CHECK_EQUAL(text,
              "on 4 ranks, 1 nodes  # here\n"
              "barrier 0 mpi\nbarrier 1 default\n"
              "bcast 0 mpi\nbcast 8 shared\nbcast 32 mpi\nbcast 1024 chain\nbcast 2048 mpi\nbcast 4096 chain\n"
              "scan 0 shared\n");
  CHECK_EQUAL(wherry::collective::read_tuning(text, 0, 4, 1).size(), 9U);
}

WHERRY_UNIT_TEST(what_was_found_for_any_size_holds_for_all) {
  constexpr auto all_sizes = std::numeric_limits<std::int64_t>::max();
  const std::vector<found_choice> found{{kind::alltoallv, 0, all_sizes, "pairwise"}};
  const auto rules = wherry::collective::with_found({{kind::alltoallv, 0, "default"}}, found);
  CHECK_EQUAL(wherry::collective::with_tuning("", rules, 4, 1, "here"),
              "on 4 ranks, 1 nodes  # here\nalltoallv 0 pairwise\n");
  using wherry::collective::range_of;
  CHECK_EQUAL(range_of({kind::alltoallv, -1, 0, true}).to, all_sizes);
  CHECK_EQUAL(range_of({kind::bcast, 9, 0, true}).from, 8);
  CHECK_EQUAL(range_of({kind::bcast, 0, 0, true}).to, 1);
}

WHERRY_UNIT_TEST(clearly_faster_is_more_than_a_median) {
  using wherry::collective::is_clearly_faster;
  const std::vector<double> drifting{1, 2, 4, 8, 16, 32, 64, 128};
  auto tenth_less = drifting;
  for (auto& us : tenth_less) us *= 0.9;
  CHECK(is_clearly_faster(tenth_less, drifting));  // in every round, whatever the machine does
  CHECK(!is_clearly_faster(drifting, drifting));
  CHECK(!is_clearly_faster(drifting, tenth_less));
  CHECK(is_clearly_faster({1, 1, 1, 1, 1, 1, 1, 9}, {4, 4, 4, 4, 4, 4, 4, 4}));
  CHECK(!is_clearly_faster({1, 1, 1, 1, 1, 1, 9, 9}, {4, 4, 4, 4, 4, 4, 4, 4}));  // two of eight: one time in seven
  CHECK(!is_clearly_faster({1, 1, 1, 1}, {4, 4, 4, 4}));                          // four say little
  std::vector<double> often_less(40, 3.9), steady(40, 4);
  for (std::size_t i = 0; i < 11; ++i) often_less[i] = 40;
  CHECK(!is_clearly_faster(often_less, steady));  // faster in 29 of 40, which is no chance, but at a price
  CHECK(!is_clearly_faster({}, {}));
}

WHERRY_UNIT_TEST(a_tenth_is_found_where_the_machine_drifts) {
  random_numbers random(test.seed);
  int found = 0;
  for (int round = 0; round < 100; ++round) {
    trial one({0, 7});
    int turns = 0;
    let_run(one, [&](int candidate) {  // a machine that is at times twice as slow, for some turns
      const double of_machine = (turns++ / 6) % 2 == 0 ? 1.0 : 2.0;
      return of_machine * (candidate == 7 ? 0.8 : 1.0) * (1 + random.between(0, 100) * 0.0005);
    });
    if (one.winner() == 7) ++found;
  }
  CHECK(found >= 90);
}
