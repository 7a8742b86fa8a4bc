// What the harness's own files share.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>

#include "harness/harness.hpp"

namespace wherry_test {

using steady = std::chrono::steady_clock;

struct test_case {
  std::string name;  // without the binary's
  std::string file;
  int line = 0;
  run_on where;
  void (*body)(context&) = nullptr;
  bool unit() const { return where.counts.empty(); }
};

#if defined(SMPI_H)
inline constexpr bool simulated = true;  // all ranks in one process: no threads, no signal handlers of one rank's own
#else
inline constexpr bool simulated = false;
#endif

// Everything one process knows; `lock` guards what the watchdog and checks in threads touch.
struct process {
  std::mutex lock;
  std::string binary = "test";
  std::string path = "test";
  int rank = 0;
  int size = 1;
  bool mpi = false;
  const test_case* current = nullptr;
  std::uint64_t seed = 0;
  int share = 0, shares = 1;
  int failures = 0;  // of the current test on this rank
  std::string last_event;
  steady::time_point last_event_time{};
  struct random_cases {
    int done = 0, wanted = 0;
  };
  std::map<std::string, random_cases> cases;  // of each test that has some
  std::FILE* log = nullptr;
  steady::time_point started = steady::now();
};

process& self();
std::vector<test_case>& all_tests();

std::string where_am_i();     // "[rank 2 of 4]"
std::string how_to_repeat();  // the command for the current test; the lock must be held or not needed
void event(std::string_view text);
[[noreturn]] void abort_job();  // ends all ranks, whatever state MPI is in

class watchdog {
 public:
  watchdog();
  ~watchdog();
  void begin(double seconds);
  void end();

 private:
  struct inside;
  inside* inside_;
};

void install_crash_handlers();

}  // namespace wherry_test
