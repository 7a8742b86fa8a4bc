// What start and wait promise: snapshots, and that a wait needs nothing of a peer but its start.
#include <chrono>
#include <thread>

#include "wherry/transport/transport.hpp"

#include "harness/patient.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

void snapshot_case(random_case& now, const context& test, MPI_Comm comm) {
  auto what = random_halo_case(now.random, test.size);
  const auto names = usable_transports(comm);
  what.options.carry.transport = names[static_cast<std::size_t>(now.number) % names.size()];
  what.options.carry.snapshot = true;
  log(now.title + ", " + what.options.carry.transport + ": " + what.text());
  const wherry::communicator ours(comm);
  checked_fields fields(what, ours), others(what, ours);
  auto exchange = bind(what, comm, fields);
  const bool elsewhere = now.random.chance(50);
  for (int round = 1; round <= 2; ++round) {
    const auto title = now.title + ", " + exchange.bound().transport() + ", round " + std::to_string(round);
    fields.each([&](checked_field& f) { f.fill(round); });
    others.each([&](checked_field& f) { f.overwrite(20 + round); });
    exchange.start();
    fields.each([&](checked_field& f) { f.overwrite(10 + round); });
    if (now.random.chance(25)) patient_barrier(comm);
    fields.check(title + ", something arrived before wait");
    auto& target = elsewhere ? others : fields;
    target.each([&](checked_field& f) { f.expect_halo(round); });
    elsewhere ? exchange.bound().wait(others.table()) : exchange.wait();
    fields.check(title);
    others.check(title + ", other fields at wait");
    if (elsewhere) exchange.bound().set_fields(fields.table());
  }
}

}  // namespace

WHERRY_TEST(snapshots, ranks(1, 2, 3, 4, 6, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 300, [&](random_case& now) { snapshot_case(now, test, comms.pick(now.random)); });
}

namespace {

// A ring of large fields. Every rank starts; then they wait one after the other, each as soon as the one before has
// finished, and has written its field anew. Who waits must need nothing more of those that have not begun to.
void wait_in_turn(const context& test, const std::string& name, wherry::point<2> core, std::vector<bool> cut) {
  test.note(name);
  const auto width = wherry::point<2>{cut[0] ? 2 : 0, cut[1] ? 2 : 0};
  const wherry::process_grid grid(
      test.comm, {.periodic = {true, true}, .extents = {cut[0] ? test.size : 1, cut[0] ? 1 : test.size}});
  wherry::halo_options options;
  options.carry.transport = name;
  wherry::field<double, 2> u(grid.comm(), core, width);
  wherry::halo_exchange exchange(grid, options, u);
  const auto write = [&](double round) {
    for (auto j = u.core().lower[1]; j < u.core().upper[1]; ++j)
      for (auto i = u.core().lower[0]; i < u.core().upper[0]; ++i) u(i, j) = round + test.rank;
  };
  for (const double round : {1000.0, 2000.0}) {
    write(round);
    exchange.start();
    int token = 0;
    if (test.rank > 0) MPI_Recv(&token, 1, MPI_INT, test.rank - 1, 7, test.comm, MPI_STATUS_IGNORE);
    exchange.wait();
    write(-1);  // mine again: peers that have not waited yet must not see it
    if (test.rank + 1 < test.size) MPI_Send(&token, 1, MPI_INT, test.rank + 1, 7, test.comm);
    const int left = (test.rank + test.size - 1) % test.size, right = (test.rank + 1) % test.size;
    const wherry::point<2> low{cut[0] ? -2 : 0, cut[1] ? -2 : 0}, high{core[0] - 1 + width[0], core[1] - 1 + width[1]};
    CHECK_EQUAL(u[low], round + left);
    CHECK_EQUAL(u[high], round + right);
    long wrong = 0;
    wherry::for_each_point(u.whole(), [&](const wherry::point<2>& p) {
      const auto at = cut[0] ? p[0] : p[1], size = cut[0] ? core[0] : core[1];
      if (u[p] != (at < 0 ? round + left : at >= size ? round + right : -1 + test.rank)) ++wrong;
    });
    if (fault(wrong > 0)) FAIL(name + ": " + std::to_string(wrong) + " wrong cells");
    patient_barrier(test.comm);
  }
}

}  // namespace

WHERRY_TEST(wait_needs_only_the_starts_of_others, ranks(2, 3).not_simulated("one rank after the other")) {
  const setting timeout("timeout", "10", "0");  // an error rather than a hang
  for (const auto& name : usable_transports(test.comm)) {
    const bool crowded = test.size > 2;
    wait_in_turn(test, name, {4000, 40}, {false, true});  // long rows
    if (!crowded) wait_in_turn(test, name, {20, 20}, {true, false});
    if (!crowded || name == "auto") wait_in_turn(test, name, {40, 4000}, {true, false});  // short rows
  }
}

// With messages large enough that MPI does not send them before their receive is there.
WHERRY_TEST(snapshots_of_large_fields, ranks(2, 3).not_simulated("one rank after the other")) {
  for (const auto& name : usable_transports(test.comm)) {
    const wherry::process_grid grid(test.comm, {.periodic = {true}});
    wherry::halo_options options;
    options.carry.transport = name;
    options.carry.snapshot = true;
    constexpr wherry::point<1> core{300000};
    wherry::field<double, 1> u(grid.comm(), core, 100000);
    wherry::halo_exchange exchange(grid, options, u);
    for (int round = 1; round <= 2; ++round) {
      for (wherry::point<1> p{}; p[0] < core[0]; ++p[0]) u[p] = 10 * test.rank + round;
      exchange.start();
      for (auto p = u.whole().lower; p[0] < u.whole().upper[0]; ++p[0]) u[p] = -5;
      patient_barrier(test.comm);
      CHECK_EQUAL(u(-1), -5.0);
      exchange.wait();
      const int left = (test.rank + test.size - 1) % test.size, right = (test.rank + 1) % test.size;
      long wrong = 0;
      for (auto p = u.whole().lower; p[0] < u.whole().upper[0]; ++p[0])
        wrong += u[p] != (p[0] < 0 ? 10 * left + round : p[0] >= core[0] ? 10 * right + round : -5);
      if (fault(wrong > 0)) FAIL(name + ": " + std::to_string(wrong) + " wrong cells");
    }
  }
}
