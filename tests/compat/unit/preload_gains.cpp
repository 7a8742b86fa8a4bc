// Whose turn a call is, and what the report says of the times that were taken.
#include <cstdint>
#include <map>

#include "harness/harness.hpp"
#include "preload/gains.hpp"
#include "preload/turns.hpp"

using namespace wherry::preload;

WHERRY_UNIT_TEST(few_calls_are_mpis) {
  turns one;
  std::map<turn, int> count;
  std::vector<int> starts;
  for (int i = 0; i < 100'000; ++i) {
    const auto whose = one.next();
    if (whose == turn::mpi && (starts.empty() || i > starts.back() + 16)) starts.push_back(i);
    ++count[whose];
  }
  const std::vector<int> expected{128, 512, 2048, 8192, 32768};
  CHECK(starts == expected);
  CHECK_EQUAL(count[turn::mpi], 5 * 4);
  CHECK_EQUAL(count[turn::mpi_timed], 5 * 12);
  CHECK_EQUAL(count[turn::ours_timed], 5 * 12);
}

WHERRY_UNIT_TEST(sizes_are_classed_by_powers_of_four) {
  CHECK_EQUAL(size_class(0), 0);
  CHECK_EQUAL(size_class(1), 1);
  CHECK_EQUAL(size_class(8), 1);
  CHECK_EQUAL(size_class(9), 2);
  CHECK_EQUAL(size_class(32), 2);
  CHECK_EQUAL(size_class(33), 3);
  CHECK_EQUAL(size_class(std::int64_t{1} << 60), size_classes - 1);
}

WHERRY_UNIT_TEST(the_newest_samples_are_kept) {
  sample_list list;
  CHECK(list.sorted().empty());
  for (int i = 100; i > 0; --i) list.add(i);
  const auto kept = list.sorted();
  CHECK_EQUAL(kept.size(), 64U);
  CHECK_EQUAL(kept.front(), 1.0);
  CHECK_EQUAL(kept.back(), 64.0);
}

WHERRY_UNIT_TEST(an_interval_of_few_samples_is_wide) {
  const auto six = interval_of({1, 2, 3, 4, 5, 60});
  CHECK_EQUAL(six.median, 3.5);
  CHECK_EQUAL(six.low, 1.0);
  CHECK_EQUAL(six.high, 60.0);
  std::vector<double> many;
  for (int i = 0; i <= 64; ++i) many.push_back(i);
  CHECK_EQUAL(interval_of(many).median, 32.0);
  CHECK_EQUAL(interval_of(many).low, 24.0);
  CHECK_EQUAL(interval_of(many).high, 40.0);
}

namespace {

void fill(measured& one, std::uint64_t calls, double ours, double mpi, int samples) {
  one.calls = calls;
  for (int i = 0; i < samples; ++i) {
    one.ours.add(ours * (1 + 0.001 * i));
    one.mpi.add(mpi * (1 + 0.001 * i));
  }
}

std::string said_of(std::vector<measured>& sizes) { return words_for(gain_of(sizes.data())); }

}  // namespace

WHERRY_UNIT_TEST(a_gain_is_told_where_it_is_clear) {
  std::vector<measured> sizes(size_classes);
  CHECK_EQUAL(said_of(sizes), "");
  fill(sizes[1], 1000, 10, 40, 12);
  CHECK_EQUAL(said_of(sizes), "took about 10 ms; by MPI 40 ms: 30 ms (75 %) saved");
  fill(sizes[3], 7, 10, 40, 5);
  CHECK_EQUAL(said_of(sizes),
              "took about 10 ms; by MPI 40 ms: 30 ms (75 %) saved; without 7 calls of sizes that were "
              "not compared often enough");
}

WHERRY_UNIT_TEST(a_loss_is_told_as_well) {
  std::vector<measured> sizes(size_classes);
  fill(sizes[2], 100, 4, 2, 12);
  CHECK_EQUAL(said_of(sizes), "took about 402 µs; by MPI 201 µs: 201 µs (100 %) lost");
}

WHERRY_UNIT_TEST(no_difference_is_none) {
  std::vector<measured> sizes(size_classes);
  fill(sizes[2], 1'000'000, 4, 4.001, 12);
  CHECK_EQUAL(said_of(sizes), "took about 4.0 s; by MPI 4.0 s: no difference beyond the noise");
}
