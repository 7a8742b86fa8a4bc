// A rank that never arrives is named; nothing is lost when it comes after all.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "wherry/core/error.hpp"
#include "wherry/transport/transport.hpp"

#include "harness/patient.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// The last rank starts only after the others have given up. In a ring of at most 3 it is everybody's neighbour.
void late_rank(const context& test, const std::string& name) {
  test.note(name);
  const int late = test.size - 1;
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::halo_options options;
  options.carry.transport = name;
  wherry::field<int, 1> u(grid.comm(), {4}, 1);
  wherry::halo_exchange exchange(grid, options, u);
  for (int i = 0; i < 4; ++i) u(i) = test.rank;
  const setting timeout("timeout", "0.2", "0");
  if (test.rank != late) {
    exchange.start();
    std::optional<wherry::error> failure;
    const double began = MPI_Wtime();
    try {
      exchange.wait();
      FAIL(name + ": wait returned though rank " + std::to_string(late) + " had not started");
    } catch (const wherry::error& caught) {
      failure = caught;
    }
    const double waited = MPI_Wtime() - began;
    CHECK(waited > 0.1 && waited < 5);
    if (failure) {
      const std::string said = failure->what();
      if (fault(failure->kind() != wherry::error_kind::timeout)) FAIL(name + ": not a timeout: " + said);
      if (fault(failure->peers() != std::vector<int>{late}))
        FAIL(name + ": names others than rank " + std::to_string(late) + ": " + said);
      CHECK_EQUAL(failure->rank(), test.rank);
      CHECK(said.find("rank " + std::to_string(test.rank)) != std::string::npos);
      CHECK(said.find("halo exchange") != std::string::npos);
      CHECK(said.find("number 1") != std::string::npos);
    }
  }
  patient_barrier(test.comm);
  wherry::configure("timeout", "20");
  if (test.rank == late) exchange.start();
  exchange.wait();
  CHECK_EQUAL(u(-1), (test.rank + test.size - 1) % test.size);
  CHECK_EQUAL(u(4), (test.rank + 1) % test.size);
}

// A message so long that it leaves only when the peer receives: a wait for nothing but a send names its peer.
void late_receiver(const context& test, const std::string& name) {
  test.note(name);
  constexpr std::int64_t bytes = 8 << 20;
  const wherry::communicator comm(test.comm);
  wherry::plans::block all;
  all.run = bytes;
  wherry::plans::schedule plan;
  plan.pattern = "long message";
  plan.fields.emplace_back();
  plan.stages.emplace_back();
  if (test.rank == 0) plan.stages[0].sends = {plan.make_message(1, wherry::detail::store, {&all, 1})};
  if (test.rank == 1) plan.stages[0].receives = {plan.make_message(0, wherry::detail::store, {&all, 1})};
  wherry::exchange exchange(comm, plan, {}, {.transport = name});
  std::vector<char> data(static_cast<std::size_t>(bytes), test.rank == 0 ? 'x' : ' ');
  void* const fields[] = {data.data()};
  const setting timeout("timeout", "0.2", "0");
  bool gone = test.rank > 1;
  if (test.rank == 0) {
    exchange.start(fields);
    try {
      exchange.wait();
      gone = true;  // into memory of the peer's
    } catch (const wherry::error& failure) {
      CHECK(failure.kind() == wherry::error_kind::timeout);
      if (fault(failure.peers() != std::vector<int>{1})) FAIL(name + ": does not name rank 1: " + failure.what());
    }
  }
  patient_barrier(test.comm);
  wherry::configure("timeout", "20");
  if (test.rank == 1) exchange.start(fields);
  if (!gone) exchange.wait();
  if (test.rank == 1) CHECK_EQUAL(data.back(), 'x');
}

}  // namespace

WHERRY_TEST(late_receiver_is_named, ranks(2, 3).not_simulated("one rank sleeps")) {
  for (const auto& name : usable_transports(test.comm)) late_receiver(test, name);
}

WHERRY_TEST(late_rank_is_named, ranks(2, 3).not_simulated("one rank sleeps")) {
  for (const auto& name : usable_transports(test.comm)) late_rank(test, name);
}

WHERRY_TEST(late_rank_is_named_with_progress_thread, ranks(2, 3).not_simulated("one rank sleeps")) {
  const setting thread("progress_thread", "1", "0");
  for (const char* name : {"auto", "two_sided"}) late_rank(test, name);
}
