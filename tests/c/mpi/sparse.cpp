// Sparse exchanges by the C interface, against lists that each rank can make for all ranks.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

/// The elements that each rank gives, and to which rank.
struct traffic {
  std::vector<std::vector<int>> destinations;     // of each rank
  std::vector<std::vector<std::int64_t>> values;  // of each rank: unique numbers

  traffic(std::mt19937_64& random, int ranks) {
    const auto pick = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    for (int r = 0; r < ranks; ++r) {
      auto& to = destinations.emplace_back(static_cast<std::size_t>(pick(3) == 0 ? 0 : pick(60)));
      auto& what = values.emplace_back();
      const int most = pick(ranks - 1);
      for (auto& one : to) {
        one = pick(most);
        what.push_back(1000 * r + static_cast<std::int64_t>(what.size()));
      }
    }
  }
  /// The elements that arrive on a rank from another one.
  std::vector<std::int64_t> list(int from, int to) const {
    std::vector<std::int64_t> result;
    const auto r = static_cast<std::size_t>(from);
    for (std::size_t i = 0; i < values[r].size(); ++i)
      if (destinations[r][i] == to) result.push_back(values[r][i]);
    return result;
  }
  std::vector<std::int64_t> all(int to) const {
    std::vector<std::int64_t> result;
    for (int from = 0; from < ranks(); ++from) {
      const auto some = list(from, to);
      result.insert(result.end(), some.begin(), some.end());
    }
    return result;
  }
  std::vector<int> sources(int to) const {
    std::vector<int> result;
    for (int from = 0; from < ranks(); ++from)
      if (!list(from, to).empty()) result.push_back(from);
    return result;
  }
  int ranks() const { return static_cast<int>(values.size()); }
};

wherry_view view_of(std::vector<std::int64_t>& values) {
  const auto count = static_cast<std::int64_t>(values.size());
  return wherry_c_array(values.data(), WHERRY_INT64, 1, &count);
}

std::vector<std::int64_t> numbers_in(const wherry_view& view) {
  const auto* const first = static_cast<const std::int64_t*>(view.data);
  return {first, first + view.extents[0]};
}

/// Compares what has arrived with what should have, and frees it.
void check_arrivals(const traffic& given, int rank, wherry_arrivals arrived, const std::string& title) {
  wherry_view all{};
  const int* sources = nullptr;
  int count = 0;
  const std::int64_t* offsets = nullptr;
  succeeds(wherry_arrivals_all(arrived, &all), title);
  succeeds(wherry_arrivals_sources(arrived, &sources, &count), title);
  succeeds(wherry_arrivals_offsets(arrived, &offsets), title);
  CHECK_EQUAL(all.type, wherry_type{WHERRY_INT64});
  const auto wanted = given.all(rank);
  CHECK_EQUAL(numbers_in(all), wanted);
  CHECK_EQUAL(std::vector<int>(sources, sources + count), given.sources(rank));
  CHECK_EQUAL(offsets[count], all.extents[0]);
  std::int64_t place = 0;
  for (int from = 0; from < given.ranks(); ++from) {
    wherry_view some{};
    succeeds(wherry_arrivals_from(arrived, from, &some), title);
    CHECK_EQUAL(numbers_in(some), given.list(from, rank));
    for (std::int64_t i = 0; i < some.extents[0]; ++i) {
      int source = -1;
      succeeds(wherry_arrivals_source_of(arrived, place++, &source), title);
      CHECK_EQUAL(source, from);
    }
  }
  for (int i = 0; i < count; ++i)
    CHECK_EQUAL(static_cast<std::size_t>(offsets[i + 1] - offsets[i]), given.list(sources[i], rank).size());
  succeeds(wherry_arrivals_free(&arrived));
}

}  // namespace

WHERRY_TEST(elements_reach_the_ranks_they_are_sent_to, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const char* const* names = nullptr;
  int algorithms = 0;
  succeeds(wherry_sparse_algorithms(&names, &algorithms));
  CHECK(algorithms >= 2);
  constexpr int cases = 12;
  for (int number = 0; number < cases; ++number) {
    traffic given(random, test.size), later(random, test.size);
    const auto rank = static_cast<std::size_t>(test.rank);
    wherry_sparse_options options = WHERRY_INIT(wherry_sparse_options);
    if (number % (algorithms + 1) > 0) options.algorithm = names[number % (algorithms + 1) - 1];
    const auto title =
        "case " + std::to_string(number) + ", " + (options.algorithm != nullptr ? options.algorithm : "auto");
    test.note(title);
    wherry_arrivals arrived = nullptr;
    succeeds(wherry_send_to(comm, given.destinations[rank].data(), view_of(given.values[rank]), &options, &arrived),
             title);
    check_arrivals(given, test.rank, arrived, title);
    // With a limit, in turns.
    options.limit_bytes = 8 * (1 + number);
    succeeds(wherry_send_to(comm, given.destinations[rank].data(), view_of(given.values[rank]), &options, &arrived),
             title);
    check_arrivals(given, test.rank, arrived, title + " in turns");
    options.limit_bytes = 0;
    // Two at once, ended in another order. What was given may be changed.
    wherry_arriving first = nullptr, second = nullptr;
    auto copy = given.values[rank];
    succeeds(wherry_send_to_start(comm, given.destinations[rank].data(), view_of(copy), &options, &first), title);
    std::ranges::fill(copy, -7);
    succeeds(wherry_send_to_start(comm, later.destinations[rank].data(), view_of(later.values[rank]), nullptr, &second),
             title);
    const char* name = nullptr;
    succeeds(wherry_arriving_algorithm(first, &name));
    CHECK(!std::string(name).empty());
    int done = 0;
    while (done == 0) succeeds(wherry_arriving_test(second, &done), title);
    succeeds(wherry_arriving_wait(second, &arrived), title);
    check_arrivals(later, test.rank, arrived, title + " second");
    succeeds(wherry_arriving_wait(first, &arrived), title);
    check_arrivals(given, test.rank, arrived, title + " first");
    fails("taken", wherry_arriving_wait(first, &arrived), WHERRY_ERROR_STATE, "was taken");
    CHECK(arrived == nullptr);
    succeeds(wherry_arriving_free(&first));
    succeeds(wherry_arriving_free(&second));
    // Ranks that know their sources.
    const auto sources = given.sources(test.rank);
    options.knows_sources = 1;
    options.receive_from = sources.data();
    options.receive_from_count = static_cast<int>(sources.size());
    succeeds(wherry_send_to(comm, given.destinations[rank].data(), view_of(given.values[rank]), &options, &arrived),
             title);
    check_arrivals(given, test.rank, arrived, title + ", known sources");
  }
  succeeds(wherry_communicator_free(&comm));
  test.count_cases(cases, cases);
}

WHERRY_TEST(elements_are_of_any_type_and_stride, ranks(1, 2, 3, 4)) {
  struct particle {
    double x;
    std::int32_t number;
    char name[3];
  };
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  std::vector<int> to;
  std::vector<particle> structures;
  std::vector<float> pairs;
  for (int r = test.size - 1; r >= 0; --r) {
    to.push_back(r);
    structures.push_back({r + 0.5, 10 * test.rank + r, {'a', 'b', static_cast<char>('c' + r)}});
    for (const int c : {0, 1, 2, 3}) pairs.push_back(static_cast<float>(100 * test.rank + 10 * r + c));
  }
  const std::int64_t count = test.size;
  wherry_arrivals arrived = nullptr;
  wherry_view all{};
  succeeds(wherry_send_to(comm, to.data(), wherry_c_array(structures.data(), wherry_bytes(sizeof(particle)), 1, &count),
                          nullptr, &arrived));
  succeeds(wherry_arrivals_all(arrived, &all));
  REQUIRE(all.extents[0] == count);
  for (int from = 0; from < test.size; ++from) {
    particle one;
    std::memcpy(&one, static_cast<const std::byte*>(all.data) + static_cast<std::size_t>(from) * sizeof one,
                sizeof one);
    CHECK_EQUAL(one.x, test.rank + 0.5);
    CHECK_EQUAL(one.number, 10 * from + test.rank);
    CHECK_EQUAL(one.name[2], static_cast<char>('c' + test.rank));
  }
  succeeds(wherry_arrivals_free(&arrived));
  // Two components, and the two behind them stay here.
  auto view = wherry_c_array(pairs.data(), WHERRY_FLOAT32, 1, &count);
  view.components = 2;
  view.strides[0] = 2;
  succeeds(wherry_send_to(comm, to.data(), view, nullptr, &arrived));
  succeeds(wherry_arrivals_all(arrived, &all));
  CHECK_EQUAL(all.components, 2);
  REQUIRE(all.extents[0] == count);
  for (int from = 0; from < test.size; ++from)
    for (const int c : {0, 1})
      CHECK_EQUAL(static_cast<const float*>(all.data)[2 * from + c],
                  static_cast<float>(100 * from + 10 * test.rank + c));
  succeeds(wherry_arrivals_free(&arrived));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(parcels_arrive_in_their_order, ranks(1, 2, 3, 4)) {
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  const std::vector<std::int64_t> u{test.rank, 1}, v{test.rank, 2, 3};
  const wherry_parcel parcels[] = {{right, 2, u.data()}, {right, 0, nullptr}, {right, 3, v.data()}};
  for (const std::int64_t limit : {0, 24, 64}) {
    wherry_sparse_options options = WHERRY_INIT(wherry_sparse_options);
    options.limit_bytes = limit;
    wherry_arrivals arrived = nullptr;
    succeeds(wherry_sparse_exchange(comm, 3, parcels, WHERRY_INT64, 0, &options, &arrived));
    wherry_view all{};
    succeeds(wherry_arrivals_all(arrived, &all));
    CHECK_EQUAL(numbers_in(all), (std::vector<std::int64_t>{left, 1, left, 2, 3}));
    succeeds(wherry_arrivals_free(&arrived));
    // A parcel without elements makes its sender a source.
    succeeds(wherry_sparse_exchange(comm, 1, parcels + 1, WHERRY_FLOAT64, 3, &options, &arrived));
    const int* sources = nullptr;
    int count = 0;
    succeeds(wherry_arrivals_sources(arrived, &sources, &count));
    REQUIRE(count == 1);
    CHECK_EQUAL(sources[0], left);
    succeeds(wherry_arrivals_all(arrived, &all));
    CHECK_EQUAL(all.extents[0], 0);
    succeeds(wherry_arrivals_free(&arrived));
  }
  wherry_arriving flight = nullptr;
  wherry_arrivals arrived = nullptr;
  succeeds(wherry_sparse_exchange_start(comm, 2, parcels + 1, WHERRY_INT64, 1, nullptr, &flight));
  succeeds(wherry_arriving_wait(flight, &arrived));
  succeeds(wherry_arriving_free(&flight));
  wherry_view some{};
  succeeds(wherry_arrivals_from(arrived, left, &some));
  CHECK_EQUAL(numbers_in(some), (std::vector<std::int64_t>{left, 2, 3}));
  succeeds(wherry_arrivals_free(&arrived));
  // A flight that is freed goes on by itself.
  succeeds(wherry_sparse_exchange_start(comm, 1, parcels, WHERRY_INT64, 1, nullptr, &flight));
  if (test.rank == 0) succeeds(wherry_arriving_free(&flight));
  if (flight != nullptr) {
    succeeds(wherry_arriving_wait(flight, &arrived));
    succeeds(wherry_arrivals_all(arrived, &some));
    CHECK_EQUAL(numbers_in(some), (std::vector<std::int64_t>{left, 1}));
    succeeds(wherry_arrivals_free(&arrived));
    succeeds(wherry_arriving_free(&flight));
  }
  // By some algorithms the flight needs this rank's help, which it gives in any other call that waits.
  succeeds(wherry_sparse_exchange(comm, 0, nullptr, WHERRY_INT64, 1, nullptr, &arrived));
  succeeds(wherry_arrivals_free(&arrived));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(a_sparse_plan_repeats_and_answers, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  constexpr int cases = 8;
  for (int number = 0; number < cases; ++number) {
    traffic given(random, test.size);
    const auto rank = static_cast<std::size_t>(test.rank);
    auto& values = given.values[rank];
    wherry_sparse_plan plan = nullptr;
    succeeds(wherry_sparse_plan_create(comm, static_cast<std::int64_t>(values.size()), given.destinations[rank].data(),
                                       nullptr, &plan));
    const auto wanted = given.all(test.rank);
    std::int64_t arriving = -1;
    const int* sources = nullptr;
    int count = 0;
    const std::int64_t* offsets = nullptr;
    succeeds(wherry_sparse_plan_arriving(plan, &arriving));
    succeeds(wherry_sparse_plan_sources(plan, &sources, &count));
    succeeds(wherry_sparse_plan_offsets(plan, &offsets));
    CHECK_EQUAL(static_cast<std::size_t>(arriving), wanted.size());
    CHECK_EQUAL(std::vector<int>(sources, sources + count), given.sources(test.rank));
    CHECK_EQUAL(offsets[count], arriving);

    std::vector<std::int64_t> arrived(wanted.size());
    std::vector<double> replies(2 * wanted.size()), answers(2 * values.size());
    const auto sent = static_cast<std::int64_t>(values.size());
    auto reply = wherry_c_array(replies.data(), WHERRY_FLOAT64, 1, &arriving);
    auto answer = wherry_c_array(answers.data(), WHERRY_FLOAT64, 1, &sent);
    reply.components = answer.components = 2;
    wherry_exchange there = nullptr, back = nullptr;
    succeeds(wherry_sparse_plan_exchange(plan, view_of(values), view_of(arrived), nullptr, &there));
    answer.data = nullptr;  // it comes with the start
    succeeds(wherry_sparse_plan_answer(plan, reply, answer, nullptr, &back));
    succeeds(wherry_sparse_plan_free(&plan));
    for (int step = 0; step < 3; ++step) {
      succeeds(wherry_exchange_run(there));
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        CHECK_EQUAL(arrived[i], wanted[i] + 5 * step);
        replies[2 * i] = static_cast<double>(arrived[i]);
        replies[2 * i + 1] = test.rank;
      }
      void* const memory[] = {replies.data(), answers.data()};
      succeeds(wherry_exchange_start_with(back, 2, memory));
      succeeds(wherry_exchange_wait(back));
      for (std::size_t i = 0; i < values.size(); ++i) {
        CHECK_EQUAL(answers[2 * i], static_cast<double>(values[i]));
        CHECK_EQUAL(answers[2 * i + 1], static_cast<double>(given.destinations[rank][i]));
      }
      for (auto& one : values) one += 5;
    }
    succeeds(wherry_exchange_free(&there));
    succeeds(wherry_exchange_free(&back));
  }
  succeeds(wherry_communicator_free(&comm));
  test.count_cases(cases, cases);
}
