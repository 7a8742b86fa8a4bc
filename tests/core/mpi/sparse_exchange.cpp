// Lists for ranks that do not know of them: any length, in pieces of any size, against what all ranks draw alike.
#include "core/sparse_exchange.hpp"

#include <cstdint>

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

// What rank `from` has for rank `to`: for every third pair nothing, not even an empty list.
wherry::bytes_by_peer lists_from(std::uint64_t seed, int from, int ranks) {
  wherry::bytes_by_peer lists;
  for (int to = 0; to < ranks; ++to) {
    random_numbers random(hash(seed, from, to));
    if (random.chance(33)) continue;
    auto& list = lists[to];
    list.resize(static_cast<std::size_t>(random.one_of({0, 1, 7, 8, 30, 1000})));
    for (auto& byte : list) byte = static_cast<std::byte>(random.next());
  }
  return lists;
}

}  // namespace

WHERRY_TEST(lists_travel_in_pieces, ranks(1, 2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  for (const std::size_t at_once : {1, 7, 8, 1000, 1 << 30})
    for (std::uint64_t round = 0; round < 3; ++round) {
      const auto seed = hash(test.seed, at_once, round);
      const auto received =
          wherry::exchange_sparsely(comm, lists_from(seed, test.rank, test.size), "sparse exchange", at_once);
      wherry::bytes_by_peer expected;
      for (int from = 0; from < test.size; ++from) {
        auto lists = lists_from(seed, from, test.size);
        if (lists.contains(test.rank)) expected[from] = std::move(lists[test.rank]);
      }
      CHECK(received == expected);
    }
}
