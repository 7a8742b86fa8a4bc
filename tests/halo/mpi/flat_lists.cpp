// Lists as other codes keep them, and global ids.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "wherry/halo/index_exchange.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::communicator;
using wherry::error_kind;
using wherry::index_exchange;
using wherry::index_t;

namespace {

/// A ring of ranks that send their first and last rows to the neighbours, as codes write it.
struct ring {
  std::vector<int> neighbors, lengths, sent;
  static constexpr index_t local = 10;

  explicit ring(const context& test) {
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    neighbors = {next};
    if (before != next) neighbors.push_back(before);
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      lengths.push_back(3);
      const auto more = i == 0 ? std::array{9, 8, 7} : std::array{0, 1, 2};
      sent.insert(sent.end(), more.begin(), more.end());
    }
  }
  wherry::flat_lists flat() const {
    return {.neighbors = neighbors,
            .send_lengths = lengths,
            .sent = sent,
            .receive_lengths = lengths,
            .first_external = local};
  }
};

}  // namespace

WHERRY_TEST(flat_lists, ranks(1, 2, 3, 4)) {
  const communicator comm(test.comm);
  const ring mine(test);
  const auto lists = make_lists(comm, mine.flat());
  std::vector<int> x(16);
  std::iota(x.begin(), x.end(), 100 * test.rank);
  index_exchange(comm, lists, x)();
  for (std::size_t i = 0; i < mine.neighbors.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const bool their_first = test.size > 2 ? i == 1 : true;  // of two or fewer ranks both lists are the first one's
      const int there = their_first ? 9 - static_cast<int>(k) : static_cast<int>(k);
      CHECK_EQUAL(x[10 + 3 * i + k], 100 * mine.neighbors[i] + there);
    }

  // The same with indices of 8 bytes, and places of one's own.
  const std::vector<std::int64_t> wide(mine.sent.begin(), mine.sent.end()), backwards{15, 14, 13, 12, 11, 10};
  const std::vector<index_t> wide_lengths(mine.lengths.begin(), mine.lengths.end());
  auto other = mine.flat();
  other.sent = wide;
  other.send_lengths = wide_lengths;
  CHECK(make_lists(comm, other) == lists);
  const std::span<const std::int64_t> places(backwards.data(), wide.size());
  other.received = places;
  CHECK_EQUAL(make_lists(comm, other).receives.front().at.front(), 15);
  other.first_external = 0;  // any of the array's may leave
  const std::vector<int> far(mine.sent.size(), 1000);
  other.sent = far;
  CHECK_EQUAL(make_lists(comm, other).sends.front().at.front(), 1000);
}

WHERRY_TEST(faults_of_flat_lists, ranks(1, 2, 4)) {
  const communicator comm(test.comm);
  const bool faulty = test.rank == test.size - 1;
  const auto refused = [&](const std::string& words, auto&& spoil) {
    ring mine(test);
    if (faulty) spoil(mine);
    all_throw(test, words.c_str(), error_kind::argument, words, [&] { make_lists(comm, mine.flat()); });
  };
  refused(wherry::detail::text("neighbour 0 is rank ", test.size, ", expected 0 to ", test.size - 1),
          [&](ring& r) { r.neighbors[0] = test.size; });
  refused("neighbour 0 is rank -1", [](ring& r) { r.neighbors[0] = -1; });
  refused("occurs twice among the neighbours", [](ring& r) { r.neighbors = {0, 0}; });
  refused("'send_lengths' has -1 for rank", [](ring& r) { r.lengths[0] = -1; });
  refused("'send_lengths' add up to ", [](ring& r) { r.sent.push_back(0); });
  refused("one for each neighbour", [](ring& r) { r.lengths.push_back(0); });
  refused("index 10, sent to rank", [](ring& r) { r.sent[1] = 10; });
  refused("is -3", [](ring& r) { r.sent[1] = -3; });
  const std::vector<int> twice{10, 11, 12, 13, 14, 10}, one{test.rank}, six{6};
  all_throw(test, "received twice", error_kind::argument, "index 10 is received twice", [&] {
    make_lists(comm, {.neighbors = one, .send_lengths = six, .sent = twice, .receive_lengths = six, .received = twice});
  });
}

// Rows with global ids in any order, dealt out at random; each rank wants some of all others.
WHERRY_TEST(global_ids, ranks(1, 2, 3, 4, 8)) {
  const communicator comm(test.comm);
  random_numbers random(test.seed);
  std::vector<std::vector<std::int64_t>> owned(static_cast<std::size_t>(test.size));
  constexpr int ids = 20000;
  for (std::int64_t id = 0, owner = 0; id < ids; ++id) {
    if (id < 10000 ? id % 1000 == 0 : true) owner = random.between(0, test.size - 1);  // in runs, and one by one
    owned[static_cast<std::size_t>(owner)].push_back(3 * id % (3 * ids));
  }
  for (auto& list : owned)
    if (random.chance(50)) random.shuffle(list);
  const auto& mine = owned[static_cast<std::size_t>(test.rank)];
  std::vector<std::int64_t> externals;
  random_numbers own(hash(test.seed, test.rank));
  for (int peer = 0; peer < test.size; ++peer)
    for (const auto id : owned[static_cast<std::size_t>(peer)])
      if (peer != test.rank && own.chance(10)) externals.push_back(id);
  own.shuffle(externals);

  const auto lists = resolve_ids(comm, mine, externals);
  const std::vector<int> narrow(mine.begin(), mine.end()), narrow_externals(externals.begin(), externals.end());
  CHECK(resolve_ids(comm, narrow, narrow_externals) == lists);
  std::vector<std::int64_t> x(mine.begin(), mine.end());
  x.resize(mine.size() + externals.size(), -1);
  index_exchange(comm, lists, x)();
  CHECK(std::equal(mine.begin(), mine.end(), x.begin()));
  CHECK(std::equal(externals.begin(), externals.end(), x.begin() + std::ssize(mine)));
}

WHERRY_TEST(faults_of_global_ids, ranks(1, 2, 4)) {
  const communicator comm(test.comm);
  const bool faulty = test.rank == test.size - 1;
  const auto refused = [&](const std::string& words, std::vector<int> rows_of_mine, std::vector<int> externals) {
    const std::vector<int> good{2 * test.rank, 2 * test.rank + 1}, none;
    all_throw(test, words.c_str(), error_kind::argument, words,
              [&] { resolve_ids(comm, faulty ? rows_of_mine : good, faulty ? externals : none); });
  };
  refused("the id of row 1 is -7", {100, -7}, {});
  refused("the id of external 0 is -1", {100}, {-1});
  refused("id 5000 is listed twice: as external 0 and as external 1", {100}, {5000, 5000});
  refused("external 0 has the id 5000, which is a row of no rank", {100}, {5000});
  refused("id 77 is a row of both rank", {77, 100, 77}, {});
  if (test.size > 1) refused("id 1 is a row of both rank 0 and rank", {100, 1}, {});
}
