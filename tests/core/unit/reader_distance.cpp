// Which way a writer's stores go: found by trying, found again when the reader has moved, and the same bytes either
// way.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "core/copies_for_reader.hpp"
#include "harness/harness.hpp"
#include "support/random.hpp"

using namespace wherry_test;
using wherry::reader_distance;
using way = reader_distance::way;

namespace {

constexpr int first_period = 256, longest_period = 2048, trials = 12;

/// Lets so many messages pass; `cost(how, number of the message)` is what a timed one takes.
template <class Cost> int went_past(reader_distance& distance, int messages, Cost&& cost) {
  int past = 0;
  for (int i = 0; i < messages; ++i) {
    const auto turn = distance.next();
    past += turn.how == way::past_caches ? 1 : 0;
    if (turn.timed) distance.took(turn.how, cost(turn.how, i));
  }
  return past;
}

double near(way how, int) { return how == way::through_caches ? 7 : 3; }
double far(way how, int) { return how == way::through_caches ? 26 : 3; }

}  // namespace

WHERRY_UNIT_TEST(far_readers_are_written_past_the_caches) {
  reader_distance distance;
  CHECK_EQUAL(went_past(distance, first_period, far), first_period - trials / 2);
  CHECK(distance.best() == way::past_caches);
}

WHERRY_UNIT_TEST(near_readers_are_written_through_the_caches) {
  reader_distance distance;
  CHECK_EQUAL(went_past(distance, first_period, near), trials / 2);
  CHECK(distance.best() == way::through_caches);
}

WHERRY_UNIT_TEST(a_reader_that_moves_is_found_again) {
  reader_distance distance;
  for (int i = 0; i < 3; ++i) {
    went_past(distance, longest_period + trials + 1, near);
    CHECK(distance.best() == way::through_caches);
    went_past(distance, longest_period + trials + 1, far);
    CHECK(distance.best() == way::past_caches);
  }
}

WHERRY_UNIT_TEST(who_finds_the_same_again_tries_less_often) {
  reader_distance distance;
  went_past(distance, 10 * longest_period, near);
  const int past = went_past(distance, 10 * longest_period, near);
  CHECK_EQUAL(past, 10 * trials / 2);
}

WHERRY_UNIT_TEST(what_near_readers_may_read_stays_but_for_trials) {
  reader_distance distance;
  const auto stayed = [&](int messages, auto&& cost) {
    int stays = 0;
    for (int i = 0; i < messages; ++i)
      if (distance.next_stays())
        ++stays;
      else
        went_past(distance, 1, cost);
    return stays;
  };
  CHECK_EQUAL(stayed(first_period, near), first_period - trials);
  stayed(10 * longest_period, far);
  CHECK_EQUAL(stayed(10 * longest_period, far), 0);
}

WHERRY_UNIT_TEST(one_interrupted_trial_decides_nothing) {
  reader_distance distance;
  const auto interrupted = [](way how, int message) { return near(how, 0) * (message % first_period == 2 ? 1000 : 1); };
  went_past(distance, first_period, interrupted);
  CHECK(distance.best() == way::through_caches);
}

WHERRY_UNIT_TEST(what_is_copied_for_a_reader_arrives_whichever_way) {
  random_numbers random(test.seed);
  wherry::copies_for_reader copies;
  std::vector<std::byte> from(20000), to(from.size() + 64);
  for (int message = 0; message < 600; ++message) {
    const auto bytes = static_cast<std::size_t>(random.between(0, random.chance(50) ? 3000 : 20000));
    const auto shift = static_cast<std::size_t>(random.between(0, 64));
    for (std::size_t i = 0; i < bytes; ++i) from[i] = static_cast<std::byte>(random.next());
    copies.begin(to.data() + shift, bytes);
    for (std::size_t at = 0; at < bytes;) {
      const auto part = std::min(bytes - at, static_cast<std::size_t>(random.between(1, 9000)));
      copies.copy(to.data() + shift + at, from.data() + at, part);
      at += part;
    }
    copies.end();
    CHECK(std::equal(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(bytes),
                     to.begin() + static_cast<std::ptrdiff_t>(shift)));
  }
}

// Stores past the caches are in no order by themselves. By a writer who goes that way whatever it finds.
// After the trials of how it is moved in bulk come those of how it is gathered; nothing is read in place meanwhile.
WHERRY_UNIT_TEST(long_messages_are_gathered_either_way_to_try) {
  std::vector<std::byte> from(100'000), to(from.size());
  wherry::copies_for_reader writer;
  for (int i = 0; i < 2 * trials; ++i) {
    writer.begin(to.data(), to.size());
    CHECK_EQUAL(writer.may_be_gathered_straight(), i >= trials && i < trials + trials / 2);
    CHECK(!writer.may_be_read_in_place());
    writer.copy(to.data(), from.data(), from.size());
    writer.end();
  }
  writer.begin(to.data(), to.size());
  CHECK_EQUAL(writer.may_be_read_in_place(), writer.may_be_gathered_straight());
}

WHERRY_UNIT_TEST(what_is_told_of_is_there) {
  constexpr std::uint64_t rounds = 1000;
  constexpr std::size_t words = 8192;
  alignas(64) static std::uint64_t there[2][words];
  std::atomic<std::uint64_t> told{0}, taken{0};
  std::uint64_t wrong = 0;
  std::thread reads([&] {
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      for (int looks = 1; told.load(std::memory_order_acquire) < round; ++looks)  // to be there at once
        if (looks % 4096 == 0) std::this_thread::yield();
      const auto& now = there[round % 2];
      for (std::size_t i = words; i-- > 0;) wrong += now[i] != round ? 1 : 0;  // first what was written last
      taken.store(round, std::memory_order_release);
    }
  });
  wherry::copies_for_reader copies(0);
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    while (taken.load(std::memory_order_acquire) + 2 < round) std::this_thread::yield();
    static std::vector<std::uint64_t> message;
    message.assign(words, round);
    copies.message(reinterpret_cast<std::byte*>(there[round % 2]), reinterpret_cast<const std::byte*>(message.data()),
                   sizeof there[0]);
    told.store(round, std::memory_order_release);
  }
  reads.join();
  CHECK_EQUAL(wrong, 0u);
}
