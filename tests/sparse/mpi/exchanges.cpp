// Elements that arrive, against what all ranks draw alike from a seed: any number of any type, to any ranks, by every
// algorithm, with several exchanges under way.
#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "wherry/sparse/sparse.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;

namespace {

std::vector<std::string> every_algorithm() {
  auto names = wherry::sparse_algorithms();
  names.emplace_back("auto");
  return names;
}

struct particle {
  std::array<double, 3> place;
  int id;
  bool operator==(const particle&) const = default;
};

template <class T> T value_of(std::uint64_t number) {
  if constexpr (std::is_same_v<T, particle>)
    return {{static_cast<double>(number % 1000), 1.0, -2.5}, static_cast<int>(number % 100000)};
  else if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(number % 251);
  else
    return T{static_cast<double>(number % 1000), static_cast<double>(number % 77)};
}

// The shapes of a random case.
enum class shape { any, few, all_to_one, one_to_all, nobody, to_itself, shapes };

// The destinations and values of rank `from` in a case.
template <class T> struct sent {
  std::vector<int> to;
  std::vector<T> values;
};

template <class T> sent<T> sent_from(std::uint64_t seed, int from, int ranks) {
  random_numbers common(seed);
  const auto how = static_cast<shape>(common.between(0, static_cast<int>(shape::shapes) - 1));
  const int most = common.one_of({1, 3, 20, 300, 3000});
  const int one = common.between(0, ranks - 1);
  random_numbers random(hash(seed, from));
  int count = random.chance(20) ? 0 : random.between(0, most);
  if (how == shape::nobody || (how == shape::one_to_all && from != one)) count = 0;
  sent<T> result;
  const int neighbour = random.between(0, ranks - 1);
  for (int i = 0; i < count; ++i) {
    int to = random.between(0, ranks - 1);
    if (how == shape::few) to = random.chance(50) ? neighbour : from;
    if (how == shape::all_to_one) to = one;
    if (how == shape::to_itself) to = from;
    result.to.push_back(to);
    result.values.push_back(value_of<T>(random.next()));
  }
  return result;
}

// The values that must arrive at `me`, source after source.
template <class T> void check_arrived(const wherry::arrivals<T>& arrived, std::uint64_t seed, int me, int ranks) {
  std::vector<T> all;
  std::vector<int> sources;
  bool parts_are_right = true;
  for (int from = 0; from < ranks; ++from) {
    const auto theirs = sent_from<T>(seed, from, ranks);
    std::vector<T> part;
    for (std::size_t i = 0; i < theirs.to.size(); ++i)
      if (theirs.to[i] == me) part.push_back(theirs.values[i]);
    const auto came = arrived.from(from);
    parts_are_right = parts_are_right && std::vector<T>(came.begin(), came.end()) == part;
    if (!part.empty()) sources.push_back(from);
    all.insert(all.end(), part.begin(), part.end());
  }
  const auto said = "seed " + std::to_string(seed);
  if (fault(arrived.all != all)) FAIL(said + ": other elements, or another order");
  if (fault(!parts_are_right)) FAIL(said + ": other elements of a source");
  if (fault(std::vector<int>(arrived.sources().begin(), arrived.sources().end()) != sources))
    FAIL(said + ": other sources");
  std::size_t seen = 0;
  for (const auto& [source, elements] : arrived) {
    if (elements.empty() || arrived.source_of(seen) != source) FAIL(said + ": the iteration is wrong");
    seen += elements.size();
  }
  CHECK_EQUAL(seen, all.size());
}

template <class T> void check_type(context& test, const std::string& algorithm, int cases) {
  for (int i = 0; i < cases; ++i) {
    const auto seed = hash(test.seed, i, sizeof(T));
    const auto mine = sent_from<T>(seed, test.rank, test.size);
    const auto arrived = wherry::send_to(test.comm, mine.to, mine.values, {.algorithm = algorithm});
    check_arrived(arrived, seed, test.rank, test.size);
  }
}

}  // namespace

WHERRY_TEST(elements_reach_their_ranks, ranks(1, 2, 3, 4, 8)) {
  for (const auto& algorithm : every_algorithm()) {
    test.note(algorithm);
    check_type<int>(test, algorithm, 40);
    check_type<char>(test, algorithm, 10);
    check_type<particle>(test, algorithm, 20);
    check_type<std::complex<double>>(test, algorithm, 5);
    check_type<std::pair<double, float>>(test, algorithm, 5);
  }
}

WHERRY_TEST(parcels_arrive_in_the_order_given, ranks(1, 2, 3, 4, 8)) {
  const auto values_of = [](int from, int to, int parcel) {
    std::vector<double> values(static_cast<std::size_t>((from * 7 + to * 5 + parcel * 3) % 13 * 40));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(hash(from, to, parcel, i) % 1000);
    return values;
  };
  for (const auto& algorithm : every_algorithm()) {
    std::vector<std::vector<double>> kept;
    std::vector<wherry::parcel<double>> parcels;
    for (int parcel = 0; parcel < 3; ++parcel)
      for (int to = 0; to < test.size; ++to) kept.push_back(values_of(test.rank, to, parcel));
    for (std::size_t i = 0; i < kept.size(); ++i) parcels.push_back({static_cast<int>(i) % test.size, kept[i]});
    const auto arrived = wherry::sparse_exchange(test.comm, parcels, {.algorithm = algorithm});
    std::vector<double> all;
    for (int from = 0; from < test.size; ++from)
      for (int parcel = 0; parcel < 3; ++parcel) {
        const auto part = values_of(from, test.rank, parcel);
        all.insert(all.end(), part.begin(), part.end());
      }
    CHECK_EQUAL(arrived.all, all);
    CHECK_EQUAL(arrived.sources().size(), test.size);
  }
}

WHERRY_TEST(parcels_without_elements_name_their_source, ranks(1, 2, 3, 4, 8)) {
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  for (const auto& algorithm : every_algorithm()) {
    const auto arrived = wherry::sparse_exchange<int>(test.comm, {{right, {}}}, {.algorithm = algorithm});
    REQUIRE(arrived.sources().size() == 1);
    CHECK_EQUAL(arrived.sources()[0], left);
    CHECK(arrived.all.empty());
    CHECK(arrived.from(left).empty());
  }
}

// Longer than a first message and than a piece.
WHERRY_TEST(long_lists_travel_in_pieces, ranks(2, 3, 4)) {
  wherry::configure("message_limit", "1000");
  for (const auto& algorithm : every_algorithm()) {
    std::vector<int> to(100'000);
    std::vector<std::uint64_t> values(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = static_cast<int>(hash(test.rank, i) % static_cast<std::uint64_t>(test.size));
      values[i] = hash(test.rank, i, 1);
    }
    const auto arrived = wherry::send_to(test.comm, to, values, {.algorithm = algorithm});
    std::size_t at = 0;
    bool right = true;
    for (int from = 0; from < test.size; ++from)
      for (std::size_t i = 0; i < to.size(); ++i)
        if (hash(from, i) % static_cast<std::uint64_t>(test.size) == static_cast<std::uint64_t>(test.rank))
          right = right && at < arrived.all.size() && arrived.all[at++] == hash(from, i, 1);
    CHECK(right);
    CHECK_EQUAL(at, arrived.all.size());
  }
  wherry::configure("message_limit", "1G");
}

// More under way than cells are kept for, ended in another order on each rank.
WHERRY_TEST(many_exchanges_are_under_way, ranks(1, 2, 3, 4, 8)) {
  constexpr int together = 20;
  for (const auto& algorithm : every_algorithm()) {
    test.note(algorithm);
    std::vector<wherry::arriving<int>> flights;
    for (int i = 0; i < together; ++i) {
      auto mine = sent_from<int>(hash(test.seed, i), test.rank, test.size);
      flights.push_back(wherry::start_send_to(test.comm, mine.to, mine.values, {.algorithm = algorithm}));
    }
    std::vector<int> order(together);
    for (int i = 0; i < together; ++i) order[static_cast<std::size_t>(i)] = i;
    random_numbers(hash(test.seed, test.rank)).shuffle(order);
    for (const int i : order) {
      auto& flight = flights[static_cast<std::size_t>(i)];
      if (i % 2 == 0)
        while (!flight.test()) {
        }
      check_arrived(flight.wait(), hash(test.seed, i), test.rank, test.size);
    }
  }
}

// Ranks that give up an exchange still send what they gave.
WHERRY_TEST(an_abandoned_exchange_reaches_the_others, ranks(2, 3, 4)) {
  for (const auto& algorithm : every_algorithm())
    for (int round = 0; round < 5; ++round) {
      const auto seed = hash(test.seed, round);
      const auto mine = sent_from<int>(seed, test.rank, test.size);
      auto flight = wherry::start_send_to(test.comm, mine.to, mine.values, {.algorithm = algorithm});
      if (test.rank == round % test.size) continue;
      check_arrived(flight.wait(), seed, test.rank, test.size);
    }
}

// Each rank knows its senders, and not how much comes.
WHERRY_TEST(known_senders_send_any_number, ranks(1, 2, 3, 4, 8)) {
  const auto from_left = [&](int by) { return (test.rank + test.size * 4 - by) % test.size; };
  for (const auto& algorithm : every_algorithm())
    for (int round = 0; round < 30; ++round) {
      const int reach = 1 + round % 3;
      std::vector<std::vector<int>> kept;
      std::vector<wherry::parcel<int>> parcels;
      std::vector<int> sources, expected_sources;
      const auto values_of = [&](int from, int to) {
        return std::vector<int>(hash(from, to, round) % 3000 * (hash(to, from, round) % 2), from * 100 + to);
      };
      std::vector<int> reached;
      for (int by = 1; by <= reach; ++by) {
        const int to = (test.rank + by) % test.size, from = from_left(by);
        if (std::find(reached.begin(), reached.end(), to) != reached.end()) continue;
        reached.push_back(to);
        kept.push_back(values_of(test.rank, to));
        sources.push_back(from);
      }
      for (std::size_t i = 0; i < kept.size(); ++i) parcels.push_back({reached[i], kept[i]});
      const auto arrived =
          wherry::sparse_exchange(test.comm, parcels, {.algorithm = algorithm, .receive_from = sources});
      std::sort(sources.begin(), sources.end());
      CHECK_EQUAL(std::vector<int>(arrived.sources().begin(), arrived.sources().end()), sources);
      for (const int from : sources) {
        const auto came = arrived.from(from);
        CHECK_EQUAL(std::vector<int>(came.begin(), came.end()), values_of(from, test.rank));
      }
    }
}

// A rank that ends a later call first must not free the cells of an earlier one that it has not read. Only some calls
// have elements, all of them for rank 1, so it can end the others at once.
WHERRY_TEST(later_calls_that_end_first_keep_earlier_elements, ranks(2, 3, 4)) {
  constexpr int together = 64;
  const auto has_elements = [](int call) { return call % 16 == 0; };
  for (const auto& algorithm : every_algorithm()) {
    std::vector<wherry::arriving<int>> flights;
    for (int call = 0; call < together; ++call) {
      const std::vector<int> values{call};
      std::vector<wherry::parcel<int>> parcels;
      wherry::sparse_options how{.algorithm = algorithm, .receive_from = std::vector<int>{}};
      if (has_elements(call) && test.rank == 0) parcels.push_back({1, values});
      if (has_elements(call) && test.rank == 1) how.receive_from = std::vector<int>{0};
      flights.push_back(wherry::start_sparse_exchange(test.comm, parcels, how));
    }
    for (int call = 0; call < together; ++call)
      if (!has_elements(call)) CHECK(flights[static_cast<std::size_t>(call)].wait().all.empty());
    MPI_Barrier(test.comm);
    if (test.rank == 0)
      for (int call = 0; call < together; call += 16) flights[static_cast<std::size_t>(call)].test();
    MPI_Barrier(test.comm);
    for (int call = 0; call < together; call += 16) {
      const auto arrived = flights[static_cast<std::size_t>(call)].wait();
      CHECK_EQUAL(arrived.all, test.rank == 1 ? std::vector<int>{call} : std::vector<int>{});
    }
  }
}

// Elements beyond the limit wait for their turn, and the result is the same.
WHERRY_TEST(limits_do_not_change_what_arrives, ranks(1, 2, 3, 4)) {
  for (const auto& algorithm : every_algorithm())
    for (const std::size_t limit : {8, 1000, 100'000})
      for (int i = 0; i < 6; ++i) {
        const auto seed = hash(test.seed, i, limit);
        const auto mine = sent_from<int>(seed, test.rank, test.size);
        const wherry::sparse_options how{.algorithm = algorithm, .limit_bytes = limit};
        bool too_many = false;
        for (int r = 0; r < test.size; ++r) too_many = too_many || sent_from<int>(seed, r, test.size).to.size() > 300;
        if (limit == 8 && too_many) continue;
        check_arrived(wherry::send_to(test.comm, mine.to, mine.values, how), seed, test.rank, test.size);
        std::vector<wherry::parcel<int>> parcels;
        for (std::size_t k = 0; k < mine.to.size(); ++k) parcels.push_back({mine.to[k], {&mine.values[k], 1}});
        check_arrived(wherry::sparse_exchange(test.comm, parcels, how), seed, test.rank, test.size);
      }
}
