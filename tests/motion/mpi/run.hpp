// Runs a motion a few times in different ways and compares every byte of its arrays with the oracle's.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "motion/mpi/live.hpp"
#include "support/case_runner.hpp"

namespace wherry_test {

// The settings that some cases change, for as long as this lives.
class random_settings {
 public:
  explicit random_settings(random_numbers& random) {
    if (random.chance(25)) check_.emplace("check", "1", "0");
    if (random.chance(20)) limit_.emplace("message_limit", std::to_string(8 * random.between(1, 8)), "1G");
  }

 private:
  std::optional<setting> check_, limit_;
};

// Communicators cut into nodes of 1, 2 and all ranks, each with the transports that reach all its ranks.
class carriers {
 public:
  explicit carriers(const context& test);

  // For one case. Its transport is the next one in turn.
  MPI_Comm choose(motion_case& what, random_case& now) const;
  struct choice {
    MPI_Comm comm;
    std::vector<std::string> transports;
  };
  const choice& pick(random_numbers& random) const { return random.one_of(choices_); }

 private:
  node_communicators comms_;
  std::vector<choice> choices_;
};

// One motion under way: fills the arrays, starts, and knows what must come of it.
class motion_under_way {
 public:
  motion_under_way(const motion_case& what, const live_motion& live, const cell_values& values, bool others, int round);
  void start();
  void finish(random_numbers& random);
  // Reports the first difference. True when there is none.
  bool check(const std::string& title) const;

 private:
  const motion_case& what_;
  const live_motion& live_;
  bool others_;
  std::vector<expected_bytes> expected_;  // of the destination; then of the source, where that is another array
};

// Binds and moves three times. What arrives is combined by `update` where there is one.
void move_and_check(const motion_case& what, MPI_Comm comm, random_case& now, const cell_values& values,
                    const std::optional<wherry::reduction>& update = {});

}  // namespace wherry_test
