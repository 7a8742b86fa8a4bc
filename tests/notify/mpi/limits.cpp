// Limits on what waits for another rank's MPI: who has only so much time comes back, and the same call goes on.
#include <chrono>
#include <thread>
#include <vector>

#include "memory_kinds.hpp"

using namespace wherry_test;

namespace {

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point began) {
  return std::chrono::duration<double>(clock_type::now() - began).count();
}

bool is_limited() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

// Rank 1 computes for so long, and makes no call of MPI's.
constexpr auto away = std::chrono::milliseconds(600);

// `call(seconds)` on rank 0 until it says that it is over; each comes back in time.
template <class Call> int repeat(Call&& call) {
  for (int times = 1;; ++times) {
    const auto began = clock_type::now();
    const bool over = call(0.02);
    if (is_limited()) CHECK(seconds_since(began) < 0.4);
    if (over) return times;
  }
}

}  // namespace

WHERRY_TEST(flushes_that_wait_for_the_target_come_back_in_time, ranks(2, 3).not_simulated("real time must pass")) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t n = 30'000;
    made_segment<std::uint64_t> s(comm, kind, n);
    wherry::segment_queue queue;
    for (const int way : {0, 1, 2, 3}) {
      const std::vector<std::uint64_t> data(n, 7u + static_cast<unsigned>(way));
      MPI_Barrier(test.comm);
      if (test.rank == 1) std::this_thread::sleep_for(away);
      if (test.rank == 0) {
        if (way == 0) {
          s->write(1, 0, data, &queue);
          repeat([&](double seconds) { return queue.wait(seconds); });
          CHECK_EQUAL(queue.size(), 0u);
        } else if (way == 1) {
          s->write(1, 0, data);
          repeat([&](double seconds) { return s->flush(seconds); });
        } else if (way == 2) {
          s->write(1, 0, data, &queue);
          CHECK(queue.wait(60));
        } else {
          s->write(1, 0, data);
          repeat([&](double seconds) { return s->notify(1, 5, 3, seconds); });
          CHECK(!s->bytes().is_notifying(1, 5, 3));
        }
        s->notify(1, 0);
      }
      if (test.rank == 1) {
        if (way == 3) CHECK_EQUAL(s->wait(5).value(), 3u);
        if (way != 3) s->wait(0);
        CHECK_EQUAL(s->local().front(), data.front());
        CHECK_EQUAL(s->local().back(), data.back());
        if (way == 3) s->wait(0);
      }
    }
    MPI_Barrier(test.comm);
  });
}

WHERRY_TEST(atomics_that_wait_for_the_target_are_done_once, ranks(2, 3).not_simulated("real time must pass")) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 4);
    MPI_Barrier(test.comm);
    if (test.rank == 1) std::this_thread::sleep_for(away);
    if (test.rank == 0) {
      std::uint64_t before = 99;
      for (std::uint64_t i = 0; i < 3; ++i) {
        repeat([&](double seconds) {
          const auto found = s->fetch_add(1, 1, 5, seconds);
          if (found) before = *found;
          return found.has_value();
        });
        CHECK_EQUAL(before, 5 * i);
      }
      repeat([&](double seconds) {
        const auto found = s->compare_swap(1, 1, 15, 4, seconds);
        if (found) before = *found;
        return found.has_value();
      });
      CHECK_EQUAL(before, 15u);
      CHECK_EQUAL(s->fetch_add(1, 1, 0), 4u);
    }
    MPI_Barrier(test.comm);
  });
}
