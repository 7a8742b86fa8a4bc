// Teams: every number is worked on once, whoever calls, and whatever becomes of the threads.
#include "wherry/core/thread_team.hpp"

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "wherry/core/error.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;
using wherry::thread_team;

WHERRY_UNIT_TEST(each_number_once) {
  for (const int size : {1, 2, 3, 7}) {
    const auto team = thread_team::of_its_own(size);
    CHECK_EQUAL(team.size(), size);
    const auto copy = team;  // of the same threads
    for (int round = 0; round < 300; ++round) {
      std::vector<int> done(static_cast<std::size_t>(size));
      (round % 2 == 0 ? team : copy).run([&](int number) { ++done[static_cast<std::size_t>(number)]; });
      for (const int times : done) CHECK_EQUAL(times, 1);
      if (round % 100 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // and they fall asleep
    }
  }
  int alone = 0;
  thread_team().run([&](int number) { alone += 1 + number; });
  CHECK_EQUAL(alone, 1);
}

WHERRY_UNIT_TEST(several_callers_at_once) {
  const auto team = thread_team::of_its_own(3);
  std::vector<std::jthread> callers;
  std::atomic<int> wrong{0};
  for (int c = 0; c < 3; ++c)
    callers.emplace_back([&] {
      for (int round = 0; round < 500; ++round) {
        std::atomic<int> sum{0};
        team.run([&](int number) { sum += 1 << number; });
        if (sum != 7) ++wrong;
      }
    });
  callers.clear();
  CHECK_EQUAL(wrong.load(), 0);
}

WHERRY_UNIT_TEST(a_caller_s_own_team) {
  const thread_team backwards(4, [](thread_team::work work, void* what) {
    for (int number = 3; number >= 0; --number) work(what, number);
  });
  std::vector<int> order;
  backwards.run([&](int number) { order.push_back(number); });
  CHECK(order == std::vector<int>({3, 2, 1, 0}));
}

WHERRY_UNIT_TEST(teams_of_no_size) {
  for (const int size : {0, -1, 4097}) {
    try {
      thread_team::of_its_own(size);
      FAIL("no error");
    } catch (const wherry::error& problem) {
      CHECK(problem.kind() == wherry::error_kind::argument);
    }
  }
}
