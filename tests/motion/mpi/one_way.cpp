// Motions that go one way: who only sends may be ahead of who receives, and then owes a message when it waits for
// something else.
#include <chrono>
#include <cstddef>
#include <string>
#include <thread>
#include <vector>

#include "wherry/blocks/blocks.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

// A box of four cells for each rank.
wherry::box<1> cells_of(int rank) { return {{4 * rank}, {4 * rank + 4}}; }

wherry::floor_plan<1> one_box_each(int ranks) {
  wherry::owner_map owners(static_cast<std::size_t>(ranks));
  std::vector<wherry::box<1>> boxes;
  for (int r = 0; r < ranks; ++r) boxes.push_back(cells_of(owners[static_cast<std::size_t>(r)] = r));
  return {boxes, owners};
}

// From each rank to the next; from the last one to the first as well, or not.
wherry::motion_plan<1> to_the_next(int ranks, bool around) {
  wherry::motion_plan<1> entries;
  for (int r = 0; r + 1 < ranks; ++r) entries.copy(r, cells_of(r), r + 1, cells_of(r + 1));
  if (around) entries.copy(ranks - 1, cells_of(ranks - 1), 0, cells_of(0));
  return entries;
}

void fill(wherry::x_array<double, 1>& array, double value) {
  for (const auto& [number, cells, values] : array.blocks())
    for (auto i = cells.lower[0]; i < cells.upper[0]; ++i) values(i) = value;
}

long count_others(wherry::x_array<double, 1>& array, double value) {
  long wrong = 0;
  for (const auto& [number, cells, values] : array.blocks())
    for (auto i = cells.lower[0]; i < cells.upper[0]; ++i) wrong += values(i) == value ? 0 : 1;
  return wrong;
}

// The last rank is late, so that the others cannot begin their last message when they start it; then they wait for the
// last rank, which waits for that message.
void wait_in_different_orders(const context& test, bool in_parts, bool snapshot = false) {
  const wherry::communicator comm(test.comm);
  const auto plan = one_box_each(test.size);
  const bool is_last = test.rank == test.size - 1;
  for (const std::string name : {"auto", "shared", "one_sided", "two_sided", "aggregated"}) {
    test.note(name);
    wherry::x_array<double, 1> from(comm, plan, {.ghost_width = 0}), to(comm, plan, {.ghost_width = 0});
    wherry::x_array<double, 1> mine(comm, plan, {.ghost_width = 0}), before(comm, plan, {.ghost_width = 0});
    wherry::mover onward(to_the_next(test.size, false), from, to,
                         {.carry = {.transport = name, .snapshot = snapshot}, .in_parts = in_parts});
    wherry::mover around(to_the_next(test.size, true), mine, before, {.carry = {.transport = name}});
    wherry::mover back(to_the_next(test.size, true).reversed(), before, mine, {.carry = {.transport = name}});
    constexpr int rounds = 6;
    for (int round = 1; round <= rounds; ++round) {
      if (is_last && round == 4) std::this_thread::sleep_for(std::chrono::milliseconds(30));
      fill(from, 10 * round + test.rank);
      in_parts ? onward.start_in_parts() : onward.start();
      if (in_parts) onward.ready(0);
      if (round < rounds || is_last) onward.wait();
    }
    fill(mine, test.rank);
    around();
    if (snapshot) fill(from, -1);  // what has not left is a copy
    back();                        // the last but one waits for the last
    // What has come meanwhile a snapshot is not given before its own wait, whoever drives it.
    if (snapshot && test.rank > 0 && !is_last) CHECK_EQUAL(count_others(to, 10 * (rounds - 1) + test.rank - 1), 0L);
    if (!is_last) onward.wait();
    CHECK_EQUAL(count_others(before, (test.rank + test.size - 1) % test.size), 0L);
    if (test.rank > 0) CHECK_EQUAL(count_others(to, 10 * rounds + test.rank - 1), 0L);
  }
}

}  // namespace

WHERRY_TEST(who_only_sends_is_driven_by_any_wait, ranks(2, 3, 4).not_simulated("real time must pass")) {
  wait_in_different_orders(test, false);
}
WHERRY_TEST(parts_that_have_no_room_yet_are_driven_by_any_wait, ranks(2, 3, 4).not_simulated("as above")) {
  wait_in_different_orders(test, true);
}
WHERRY_TEST(snapshots_that_have_no_room_yet_leave_in_any_wait, ranks(2, 3, 4).not_simulated("as above")) {
  wait_in_different_orders(test, false, true);
}
