// The C++ face: types, operations and counts without a word of MPI's.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"
#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using namespace wherry_test;
namespace collective = wherry::collective;

namespace {

struct particle {
  double position[3];
  std::int32_t kind;
  bool operator==(const particle&) const = default;
};

particle particle_of(int rank, int i) { return {{1.0 * rank, 2.0 * i, 0.5}, rank * 100 + i}; }

/// Not commutative: strings of up to eight letters, one behind the other.
struct word {
  std::array<char, 8> letters{};
};
struct append {
  word operator()(const word& a, const word& b) const {
    word both = a;
    std::size_t end = 0;
    while (end < 8 && both.letters[end] != 0) ++end;
    for (std::size_t i = 0; i < 8 && b.letters[i] != 0 && end < 8; ++i) both.letters[end++] = b.letters[i];
    return both;
  }
};

}  // namespace

WHERRY_TEST(values_are_reduced_by_what_the_standard_calls_it, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  CHECK_EQUAL(collective::allreduce(test.comm, r + 1), n * (n + 1) / 2);
  CHECK_EQUAL(collective::allreduce(test.comm, 0.5), 0.5 * n);
  CHECK_EQUAL(collective::allreduce(test.comm, r, wherry::maximum{}), n - 1);
  const int few = std::min(n, 8);
  const auto own_bit = static_cast<std::uint8_t>(r < 8 ? 1 << r : 0);
  CHECK_EQUAL(collective::allreduce(test.comm, own_bit, std::bit_or<>{}), (1 << few) - 1);
  CHECK_EQUAL(collective::allreduce(test.comm, std::int64_t{3} + r, [](auto a, auto b) { return a < b ? a : b; }), 3);
  CHECK_EQUAL(collective::reduce(test.comm, r, std::plus<>{}, n - 1), r == n - 1 ? n * (n - 1) / 2 : r);
  CHECK_EQUAL(collective::scan(test.comm, 1), r + 1);
  CHECK_EQUAL(collective::exscan(test.comm, 2, -7), r == 0 ? -7 : 2 * r);
  word mine;
  mine.letters[0] = static_cast<char>('a' + r);
  const auto whole = collective::allreduce(test.comm, mine, append{});
  CHECK_EQUAL(std::string(whole.letters.data(), static_cast<std::size_t>(few)),
              std::string("abcdefgh").substr(0, static_cast<std::size_t>(few)));
  const std::vector<double> in{1.0, r * 1.0};
  std::array<double, 2> out{};
  collective::allreduce(test.comm, in, out);
  CHECK_EQUAL(out[0], n);
  CHECK_EQUAL(out[1], n * (n - 1) / 2);
  collective::barrier(test.comm);
}

WHERRY_TEST(structs_travel_and_counts_are_found_out, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  std::vector<particle> some(5);
  if (r == n - 1)
    for (int i = 0; i < 5; ++i) some[static_cast<std::size_t>(i)] = particle_of(n - 1, i);
  collective::bcast(test.comm, some, n - 1);
  for (int i = 0; i < 5; ++i) CHECK(some[static_cast<std::size_t>(i)] == particle_of(n - 1, i));
  particle one = particle_of(r, 0);
  collective::bcast(test.comm, one);
  CHECK(one == particle_of(0, 0));

  const auto all = collective::allgather(test.comm, particle_of(r, 7));
  for (int from = 0; from < n; ++from) CHECK(all[static_cast<std::size_t>(from)] == particle_of(from, 7));
  CHECK_EQUAL(collective::gather(test.comm, r, n - 1).size(), r == n - 1 ? static_cast<std::size_t>(n) : 0);

  std::vector<particle> mine;
  for (int i = 0; i < 3 * r; ++i) mine.push_back(particle_of(r, i));
  const auto everybodys = collective::allgatherv(test.comm, mine);
  for (int from = 0; from < n; ++from) {
    REQUIRE(everybodys.of(from).size() == static_cast<std::size_t>(3 * from));
    for (int i = 0; i < 3 * from; ++i) CHECK(everybodys.of(from)[static_cast<std::size_t>(i)] == particle_of(from, i));
  }

  std::vector<std::vector<particle>> to(static_cast<std::size_t>(n));
  for (int there = 0; there < n; ++there)
    for (int i = 0; i < (r + there) % 4; ++i)
      to[static_cast<std::size_t>(there)].push_back(particle_of(r, there * 10 + i));
  const auto come = collective::alltoallv(test.comm, to);
  for (int from = 0; from < n; ++from) {
    REQUIRE(come.of(from).size() == static_cast<std::size_t>((r + from) % 4));
    for (int i = 0; i < (r + from) % 4; ++i)
      CHECK(come.of(from)[static_cast<std::size_t>(i)] == particle_of(from, r * 10 + i));
  }

  std::vector<particle> together;
  std::vector<int> counts;
  for (const auto& part : to) {
    together.insert(together.end(), part.begin(), part.end());
    counts.push_back(static_cast<int>(part.size()));
  }
  const auto same = collective::alltoallv(test.comm, together, counts);
  CHECK(same.all == come.all);
  CHECK(same.counts == come.counts);
}

WHERRY_TEST(parts_go_to_the_root_and_come_from_there, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  for (int root = 0; root < n; ++root) {
    std::vector<particle> mine;
    for (int i = 0; i <= r % 3; ++i) mine.push_back(particle_of(r, i));
    const auto collected = collective::gatherv(test.comm, mine, root);
    for (int from = 0; from < n; ++from) {
      CHECK_EQUAL(collected.counts[static_cast<std::size_t>(from)], from % 3 + 1);
      for (int i = 0; r == root && i <= from % 3; ++i)
        CHECK(collected.of(from)[static_cast<std::size_t>(i)] == particle_of(from, i));
    }
    if (r != root) CHECK(collected.all.empty());

    std::vector<int> blocks;
    std::vector<std::vector<particle>> parts;
    for (int to = 0; r == root && to < n; ++to) {
      blocks.insert(blocks.end(), {10 * to, 10 * to + root});
      parts.emplace_back();
      for (int i = 0; i < to % 4; ++i) parts.back().push_back(particle_of(to, i));
    }
    const auto block = collective::scatter(test.comm, blocks, root);
    CHECK(block == std::vector({10 * r, 10 * r + root}));
    const auto part = collective::scatterv(test.comm, parts, root);
    CHECK_EQUAL(part.size(), static_cast<std::size_t>(r % 4));
    for (int i = 0; i < r % 4; ++i) CHECK(part[static_cast<std::size_t>(i)] == particle_of(r, i));

    std::vector<particle> together;
    std::vector<int> counts;
    for (const auto& one : parts) {
      together.insert(together.end(), one.begin(), one.end());
      counts.push_back(static_cast<int>(one.size()));
    }
    CHECK(collective::scatterv(test.comm, together, counts, root) == part);

    const std::vector<double> some{1.0 * r, 0.5};
    std::vector<double> result{-1, -1};
    collective::reduce(test.comm, some, result, std::plus<>{}, root);
    CHECK(result == (r == root ? std::vector{0.5 * n * (n - 1), 0.5 * n} : std::vector{-1.0, -1.0}));
  }
}

WHERRY_TEST(ranges_are_reduced_rank_by_rank, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  const std::vector<int> some{r, 1};
  std::vector<int> result(2);
  collective::scan(test.comm, some, result);
  CHECK(result == std::vector({r * (r + 1) / 2, r + 1}));
  std::vector<int> blocks;
  for (int to = 0; to < n; ++to) blocks.insert(blocks.end(), {to, r});
  const auto mine = collective::reduce_scatter(test.comm, blocks, wherry::maximum{});
  CHECK(mine == std::vector({r, n - 1}));
}

WHERRY_TEST(what_the_root_cannot_scatter_is_an_error_everywhere, ranks(2, 3)) {
  const std::vector<int> odd(test.rank == 0 ? static_cast<std::size_t>(test.size) + 1 : 0);
  all_throw(test, "scatter", wherry::error_kind::argument, "cannot be shared out evenly",
            [&] { static_cast<void>(collective::scatter(test.comm, odd)); });
  const std::vector<std::vector<int>> few(test.rank == 0 ? 1 : static_cast<std::size_t>(test.size));
  all_throw(test, "scatterv", wherry::error_kind::argument, "the counts of rank 0 are not",
            [&] { static_cast<void>(collective::scatterv(test.comm, few)); });
  const auto ranks = static_cast<std::size_t>(test.size);
  const std::vector<double> one_each(test.rank == 0 ? ranks : 0);
  const auto all_refuse = [&](const std::vector<int>& counts, const char* why) {
    all_throw(test, "scatterv", wherry::error_kind::argument, why,
              [&] { static_cast<void>(collective::scatterv(test.comm, one_each, counts)); });
  };
  all_refuse(std::vector<int>(test.rank == 0 ? ranks + 1 : ranks, 1), "the counts of rank 0 are not");
  all_refuse(std::vector<int>(ranks, test.rank == 0 ? 2 : 1), "do not add up to the number of elements");
  std::vector<int> negative(ranks, 1);
  if (test.rank == 0) negative[0] = -1;
  all_refuse(negative, "include a negative number");
}

WHERRY_TEST(lengths_that_do_not_fit_are_errors, ranks(2, 3)) {
  const auto refused = [&](auto&& body) {
    try {
      body();
      CHECK_EQUAL(std::string("no error"), "");
    } catch (const wherry::error& failure) {
      CHECK(failure.kind() == wherry::error_kind::argument);
    }
  };
  std::vector<int> three(3), four(4), odd(static_cast<std::size_t>(test.size) * 2 + 1);
  refused([&] { collective::allreduce(test.comm, three, four); });
  refused([&] { static_cast<void>(collective::alltoall(test.comm, odd)); });
  refused([&] { static_cast<void>(collective::alltoallv(test.comm, std::vector<std::vector<int>>(1))); });
  refused([&] { static_cast<void>(collective::alltoallv(test.comm, three, std::vector<int>(1, 3))); });
  std::vector<int> counts(static_cast<std::size_t>(test.size));
  refused([&] { static_cast<void>(collective::alltoallv(test.comm, three, counts)); });
  counts[0] = 4, counts[1] = -1;
  refused([&] { static_cast<void>(collective::alltoallv(test.comm, three, counts)); });
}
