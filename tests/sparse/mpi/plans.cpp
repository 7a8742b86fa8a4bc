// Plans: values go the same way again and again, and answers come back in the order asked.
#include <cstdint>
#include <string>
#include <vector>

#include "wherry/sparse/sparse.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/counted_allocations.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

std::vector<int> destinations_of(std::uint64_t seed, int from, int ranks) {
  random_numbers random(hash(seed, from));
  std::vector<int> to(random.chance(20) ? 0 : static_cast<std::size_t>(random.between(0, 200)));
  for (auto& one : to) one = random.between(0, ranks - 1);
  return to;
}

std::int64_t value_of(int from, std::size_t i, int round) {
  return static_cast<std::int64_t>(hash(from, i, round) % 1'000'000);
}

}  // namespace

WHERRY_TEST(plans_repeat_and_answer, ranks(1, 2, 3, 4, 8)) {
  for (int number = 0; number < 10; ++number) {
    const auto seed = hash(test.seed, number);
    const auto to = destinations_of(seed, test.rank, test.size);
    wherry::sparse_plan<std::int64_t, double> plan(test.comm, to);
    std::vector<std::int64_t> values(to.size());
    for (int round = 0; round < 3; ++round) {
      for (std::size_t i = 0; i < to.size(); ++i) values[i] = value_of(test.rank, i, round);
      const auto& arrived = plan.exchange(values);
      std::vector<std::int64_t> expected;
      for (int from = 0; from < test.size; ++from) {
        const auto theirs = destinations_of(seed, from, test.size);
        for (std::size_t i = 0; i < theirs.size(); ++i)
          if (theirs[i] == test.rank) expected.push_back(value_of(from, i, round));
      }
      CHECK_EQUAL(arrived.all, expected);
      std::vector<double> replies;
      for (const auto value : arrived.all) replies.push_back(static_cast<double>(value) + 0.25 * test.rank);
      const auto answers = plan.answer(replies);
      bool right = answers.size() == to.size();
      for (std::size_t i = 0; right && i < to.size(); ++i)
        right = answers[i] == static_cast<double>(values[i]) + 0.25 * to[i];
      if (fault(!right)) FAIL("seed " + std::to_string(seed) + ": other answers");
    }
  }
}

WHERRY_TEST(repeated_exchanges_allocate_nothing, ranks(1, 2, 3, 4)) {
  const auto to = destinations_of(test.seed, test.rank + 1, test.size);
  const std::vector<int> values(to.size(), 3);
  wherry::sparse_plan<int> plan(test.comm, to);
  std::vector<int> replies(plan.arriving(), 4);
  for (int i = 0; i < 5; ++i) {
    plan.exchange(values);
    plan.answer(replies);
  }
  const long before = allocations;
  for (int i = 0; i < 50; ++i) {
    plan.exchange(values);
    plan.answer(replies);
  }
  CHECK_EQUAL(allocations - before, 0);
}

WHERRY_TEST(plans_refuse_other_lengths_and_ranks, ranks(1, 2, 3)) {
  const std::vector<int> to{0, test.size - 1};
  wherry::sparse_plan<int> plan(test.comm, to);
  CHECK_THROWS_WITH(plan.start(std::vector<int>{1, 2, 3}), "'values' has 3 elements, expected 2");
  CHECK_THROWS_WITH(plan.start_answer(std::vector<int>(plan.arriving() + 1)), "'replies' has ");
  all_throw(test, "a bad destination", wherry::error_kind::argument, "'destinations[1]' is ", [&] {
    const std::vector<int> wrong{0, test.rank == 0 ? test.size : 0};
    wherry::sparse_plan<int> none(test.comm, wrong);
  });
  if (test.size > 1)
    all_throw(test, "other types", wherry::error_kind::mismatch, "", [&] {
      if (test.rank == 0)
        wherry::sparse_plan<int> none(test.comm, to);
      else
        wherry::sparse_plan<float> none(test.comm, to);
    });
}
