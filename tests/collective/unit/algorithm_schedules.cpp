// Algorithms as schedules: valid, and with as many bytes as are sent.
#include <cstdint>

#include "collective/algorithms/schedule_of.hpp"
#include "expected_results.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace collective_tests;
using namespace wherry::collective;
using wherry_test::hash;

namespace {

// Multiples of 16, so that nothing is padded on the wire.
std::vector<std::int64_t> bytes(const question& asked, int rank, int (*size)(const question&, int, int)) {
  std::vector<std::int64_t> result;
  for (int b = 0; b < asked.what->blocks(asked.at); ++b) result.push_back(16 * size(asked, rank, b));
  return result;
}

}  // namespace

WHERRY_UNIT_TEST(schedules_are_valid_and_send_what_the_algorithm_sends) {
  for (const auto& what : algorithms())
    for (const int size : {1, 2, 3, 4, 6, 7, 8, 12, 17, 32}) {
      question asked{
          .what = &what,
          .at = {.size = size, .root = size / 2, .segments = what.name == "chain" ? 5 : 1, .commutative = true},
          .sizes = what.sizes == sizes_known::equal ? block_sizes::equal : block_sizes::uneven,
          .combine = added,
          .seed = hash(test.seed, size)};
      if (!what.can(asked.at)) continue;
      auto all = begin(asked);
      CHECK_EQUAL(all.run(), "");
      std::int64_t sent = 0, received = 0;
      for (int rank = 0; rank < size; ++rank) {
        auto at = asked.at;
        at.rank = rank;
        const auto plan = schedule_of(what, at, bytes(asked, rank, size_of_work), bytes(asked, rank, size_of_input));
        plan.validate(rank, size);
        CHECK_EQUAL(plan.stages.size(), what.stages(at));
        // An empty row may take its place on the wire.
        CHECK_EQUAL(plan.bytes_sent(), 16 * all.ranks[static_cast<std::size_t>(rank)].elements_sent);
        sent += plan.bytes_sent();
        received += plan.bytes_received();
        CHECK(!plan.explain().empty());
      }
      CHECK_EQUAL(sent, received);
    }
}

WHERRY_UNIT_TEST(schedules_can_be_read) {
  const auto* ring = find("ring", pattern::allgather);
  const std::vector<std::int64_t> sizes(4, 32);
  const auto plan = schedule_of(*ring, {.rank = 1, .size = 4}, sizes);
  CHECK_EQUAL(plan.pattern, "ring allgather");
  CHECK_EQUAL(plan.stages.size(), 3);
  CHECK_EQUAL(plan.stages[0].sends[0].peer, 2);
  CHECK_EQUAL(plan.stages[0].receives[0].peer, 0);
  CHECK_EQUAL(plan.bytes_sent(), 96);
  CHECK_EQUAL(plan.bytes_copied(), 32);
}

WHERRY_UNIT_TEST(sizes_that_do_not_fit_are_refused) {
  const auto* ring = find("ring", pattern::allgather);
  const std::vector<std::int64_t> few(3, 32), negative{32, 32, -1, 32}, huge(4, std::int64_t{1} << 62);
  CHECK_THROWS_WITH(schedule_of(*ring, {.rank = 1, .size = 4}, few), "has 3 sizes, expected 4");
  CHECK_THROWS_WITH(schedule_of(*ring, {.rank = 1, .size = 4}, negative), "has a block of -1 bytes");
  CHECK_THROWS(schedule_of(*ring, {.rank = 1, .size = 4}, huge));
}
