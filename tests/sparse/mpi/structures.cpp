// Structures with pointers reach ranks that do not know that they come.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wherry/deep/send_to.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

using structure = std::map<std::string, std::vector<std::string>>;

std::vector<std::pair<int, structure>> structures_of(std::uint64_t seed, int from, int ranks) {
  random_numbers random(hash(seed, from));
  std::vector<std::pair<int, structure>> all(static_cast<std::size_t>(random.between(0, 5)));
  for (auto& [to, one] : all) {
    to = random.between(0, ranks - 1);
    for (int i = random.between(0, 4); i > 0; --i)
      one[std::to_string(random.next())].assign(static_cast<std::size_t>(random.between(0, 300)),
                                                std::to_string(from) + " writes to " + std::to_string(to));
  }
  return all;
}

}  // namespace

WHERRY_TEST(structures_reach_their_ranks, ranks(1, 2, 3, 4, 8)) {
  for (const auto& algorithm : wherry::sparse_algorithms())
    for (int round = 0; round < 5; ++round) {
      const auto seed = hash(test.seed, round);
      std::vector<int> to;
      std::vector<structure> mine;
      for (auto& [rank, one] : structures_of(seed, test.rank, test.size)) {
        to.push_back(rank);
        mine.push_back(std::move(one));
      }
      const auto arrived = wherry::deep::send_to(test.comm, to, mine, {.algorithm = algorithm});
      std::vector<std::pair<int, structure>> expected;
      for (int from = 0; from < test.size; ++from)
        for (auto& [rank, one] : structures_of(seed, from, test.size))
          if (rank == test.rank) expected.emplace_back(from, std::move(one));
      if (fault(arrived != expected)) FAIL("seed " + std::to_string(seed) + ": other structures");
    }
}

WHERRY_TEST(structures_for_no_rank_are_refused_everywhere, ranks(1, 2, 3)) {
  const std::vector<int> wrong{test.rank == 0 ? -1 : 0}, few(test.rank == 0 ? 2 : 1, 0);
  const std::vector<std::string> mine{"text"};
  all_throw(test, "no rank", wherry::error_kind::argument, "'destinations[0]' is -1",
            [&] { static_cast<void>(wherry::deep::send_to(test.comm, wrong, mine)); });
  all_throw(test, "lengths", wherry::error_kind::argument, "'destinations' has 2 entries",
            [&] { static_cast<void>(wherry::deep::send_to(test.comm, few, mine)); });
}
