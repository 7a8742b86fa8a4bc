// What may be an element of a typed collective: arrays, tuples and pairs, and classes whose operator& gives no address.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include "wherry/collective/collective.hpp"

#include "harness/harness.hpp"

namespace collective = wherry::collective;

namespace {

using vec = std::array<double, 3>;
struct add {
  vec operator()(const vec& a, const vec& b) const { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
};
vec vec_of(int rank, int i) { return {1.0 * rank, 10.0 * i, rank + 0.5}; }
/// Of all ranks.
vec sum_of(int ranks, int i) { return {ranks * (ranks - 1) / 2.0, 10.0 * i * ranks, ranks * ranks / 2.0}; }

using entry = std::tuple<int, double, std::pair<char, short>>;
entry entry_of(int rank) { return {rank, rank + 0.25, {static_cast<char>('a' + rank), static_cast<short>(-rank)}}; }

struct handle {
  int value = 0;
  void operator&() const = delete;
  handle operator+(const handle& other) const { return {value + other.value}; }
};

}  // namespace

WHERRY_TEST(arrays_are_elements, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  const auto last = static_cast<std::size_t>(n - 1);
  const std::vector<vec> mine{vec_of(r, 0), vec_of(r, 1)};
  const auto all = collective::allgather(test.comm, mine);
  REQUIRE(all.size() == static_cast<std::size_t>(2 * n));
  CHECK(all[2 * last + 1] == vec_of(n - 1, 1));
  const auto parts = collective::allgatherv(test.comm, std::vector<vec>(static_cast<std::size_t>(r + 1), vec_of(r, 7)));
  CHECK(parts.of(n - 1).size() == static_cast<std::size_t>(n) && parts.of(n - 1)[last] == vec_of(n - 1, 7));
  std::vector<vec> sums(2), one_behind(2);
  collective::allreduce(test.comm, mine, sums, add{});
  CHECK(sums[0] == sum_of(n, 0) && sums[1] == sum_of(n, 1));
  CHECK(collective::allreduce(test.comm, vec_of(r, 3), add{}) == sum_of(n, 3));
  CHECK(collective::reduce(test.comm, vec_of(r, 4), add{}, n - 1) == (r == n - 1 ? sum_of(n, 4) : vec_of(r, 4)));
  CHECK(collective::scan(test.comm, vec_of(r, 5), add{}) == sum_of(r + 1, 5));
  CHECK(collective::exscan(test.comm, vec_of(r, 6), vec{}, add{}) == (r == 0 ? vec{} : sum_of(r, 6)));
  collective::scan(test.comm, mine, one_behind, add{});
  CHECK(one_behind[1] == sum_of(r + 1, 1));
  CHECK(collective::start_allreduce(test.comm, vec_of(r, 8), add{}).wait() == sum_of(n, 8));
  CHECK(collective::start_allgather(test.comm, mine).wait() == all);
  std::vector<std::vector<vec>> leaving;
  for (int to = 0; to < n; ++to) leaving.push_back({vec_of(r, to)});
  const auto arrived = collective::alltoallv(test.comm, leaving);
  CHECK(arrived.of(n - 1).front() == vec_of(n - 1, r));
  vec alone = vec_of(r, 9);  // a range of its numbers
  collective::bcast(test.comm, alone, n - 1);
  CHECK(alone == vec_of(n - 1, 9));
}

WHERRY_TEST(built_in_arrays_are_elements, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  double rows[2][3];
  for (int i = 0; i < 2; ++i) std::ranges::copy(vec_of(r, i), rows[i]);
  const std::vector<vec> all = collective::allgather(test.comm, rows);
  CHECK(all[static_cast<std::size_t>(2 * n - 1)] == vec_of(n - 1, 1));
  double sums[2][3];
  collective::allreduce(test.comm, rows, sums, add{});
  CHECK(std::ranges::equal(sums[0], sum_of(n, 0)) && std::ranges::equal(sums[1], sum_of(n, 1)));
  collective::bcast(test.comm, rows, n - 1);
  CHECK(std::ranges::equal(rows[1], vec_of(n - 1, 1)));
  double row[3] = {1.0 * r, 0, 0};
  collective::bcast(test.comm, row, n - 1);
  CHECK_EQUAL(row[0], n - 1);
}

WHERRY_TEST(tuples_are_elements, ranks(1, 2, 3, 4, 8)) {
  const int n = test.size, r = test.rank;
  entry one = entry_of(r);
  const auto all = collective::allgather(test.comm, one);
  CHECK(all[static_cast<std::size_t>(n - 1)] == entry_of(n - 1));
  const auto parts = collective::allgatherv(test.comm, std::vector<entry>(static_cast<std::size_t>(r), one));
  CHECK_EQUAL(parts.all.size(), static_cast<std::size_t>(n * (n - 1) / 2));
  const auto larger = [](const entry& a, const entry& b) { return std::max(a, b); };
  CHECK(collective::allreduce(test.comm, one, larger) == entry_of(n - 1));
  collective::bcast(test.comm, one, n - 1);
  CHECK(one == entry_of(n - 1));
  const std::vector<std::pair<int, std::array<entry, 2>>> nested{{r, {entry_of(r), entry_of(r + 1)}}};
  CHECK(collective::gather(test.comm, nested, n - 1).size() == static_cast<std::size_t>(r == n - 1 ? n : 0));
}

WHERRY_TEST(elements_with_an_operator_of_their_own, ranks(1, 2, 3)) {
  const int n = test.size, r = test.rank;
  handle one{r};
  CHECK_EQUAL(collective::allgather(test.comm, one)[static_cast<std::size_t>(n - 1)].value, n - 1);
  CHECK_EQUAL(collective::allreduce(test.comm, one).value, n * (n - 1) / 2);
  CHECK_EQUAL(collective::scan(test.comm, handle{1}).value, r + 1);
  CHECK_EQUAL(collective::exscan(test.comm, handle{1}).value, r);
  CHECK_EQUAL(collective::reduce(test.comm, one).value, r == 0 ? n * (n - 1) / 2 : r);
  CHECK_EQUAL(collective::gather(test.comm, std::vector<handle>{one}, n - 1).size(),
              static_cast<std::size_t>(r == n - 1 ? n : 0));
  CHECK_EQUAL(collective::start_allreduce(test.comm, one).wait().value, n * (n - 1) / 2);
  CHECK_EQUAL(float(collective::allreduce(test.comm, wherry::float16(r + 0.5))), 0.5F * static_cast<float>(n * n));
  CHECK_EQUAL(float(collective::allreduce(test.comm, wherry::bfloat16(r), wherry::maximum{})),
              static_cast<float>(n - 1));
  CHECK_EQUAL(collective::start_allgather(test.comm, one).wait().back().value, n - 1);
  std::vector<handle> sums(1);
  collective::allreduce(test.comm, std::vector<handle>{one}, sums);
  CHECK_EQUAL(sums[0].value, n * (n - 1) / 2);
  collective::bcast(test.comm, one, n - 1);
  CHECK_EQUAL(one.value, n - 1);
}
