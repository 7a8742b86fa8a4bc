// device_shared: messages that the sender's device has packed, and the receiver's device unpacks from there.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "wherry/wherry.hpp"

#include "device_ring.hpp"
#include "harness/harness.hpp"
#include "harness/patient.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/some_device.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

const wherry::carry_options lent{.transport = "device_shared"};

// From rank 0 to each of the others; nothing comes back.
struct one_way {
  static constexpr index_t numbers = 1000;

  one_way(const context& test, const wherry::carry_options& how)
      : rank(test.rank), comm(test.comm), memory(wherry::make_on_device<int>(numbers)) {
    wherry::index_lists lists;
    wherry::peer_indices all{0, {}};
    for (index_t i = 0; i < numbers; ++i) all.at.push_back(i);
    if (rank != 0) lists.receives = {all};
    for (int other = 1; rank == 0 && other < test.size; ++other) {
      all.peer = other;
      lists.sends.push_back(all);
    }
    exchange.emplace(comm, lists, wherry::index_options{.carry = how}, view());
  }

  wherry::view<int, 1> view() const {
    return {memory.get(), wherry::point<1>{numbers}, wherry::fortran_layout<1>(), wherry::memory_space::device};
  }
  void put(int value) const {
    const std::vector<int> image(numbers, value);
    wherry::copy_on_device(memory.get(), image.data(), numbers * sizeof(int));
  }
  void start(int value) {
    put(value);
    exchange->start();
  }
  void receive(int value) {
    start(-1);
    exchange->wait();
    std::vector<int> image(numbers);
    wherry::copy_on_device(image.data(), memory.get(), numbers * sizeof(int));
    CHECK(image == std::vector<int>(numbers, value));
  }

  int rank;
  wherry::communicator comm;
  std::shared_ptr<int[]> memory;
  std::optional<wherry::index_exchange> exchange;
};

// Whoever had its memory given back too early would find this there.
std::vector<std::shared_ptr<int[]>> overwritten() {
  std::vector<std::shared_ptr<int[]>> others;
  const std::vector<int> image(one_way::numbers, -6);
  for (int i = 0; i < 20; ++i) {
    others.push_back(wherry::make_on_device<int>(one_way::numbers));
    wherry::copy_on_device(others.back().get(), image.data(), image.size() * sizeof(int));
  }
  return others;
}

int released = 0;  // pieces of device memory

// Begins and ends a communicator: what nobody reads any more is given back.
void meet_again(MPI_Comm comm) {
  MPI_Comm once = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &once);
  {
    const wherry::communicator ours(once);
  }
  MPI_Comm_free(&once);
}

bool refuses_to_borrow = false;  // this rank

// With WHERRY_CHECK every wait needs the others' starts: nobody runs ahead.
bool may_run_ahead() { return !wherry::current_settings().check; }

}  // namespace

WHERRY_TEST(auto_lends_what_the_device_has_packed, ranks(2, 3, 4, 8)) {
  const some_device on;
  exchange_once(test, {}, "of its own memory, twice, lent to peers");
  exchange_once(test, {}, "transport device_shared (same node)");
  exchange_once(test, {.snapshot = true}, "transport device_shared (same node)");
  // Messages to other nodes take another way in the same exchange.
  for (const int a_node : {1, 2}) {
    const nodes_of nodes(test.comm, a_node);
    context there = test;
    there.comm = nodes;
    exchange_once(there, {}, test.size <= a_node ? "same node" : "of other nodes: ");
  }
}

// One message is of one space, at both ends; who has it otherwise goes by way of the host, and is told.
WHERRY_TEST(messages_that_are_not_all_on_the_device, ranks(2, 3, 4)) {
  const some_device on;
  ring r(test);
  std::vector<double> host(ring::all);
  const auto on_host = wherry::halo_inside(wherry::view<double, 1>(host), ring::width);
  const auto on_device = wherry::halo_inside(r.view(), ring::width);
  all_throw(test, "both", wherry::error_kind::argument, "is not in device memory",
            [&] { wherry::halo_exchange(r.grid, {.carry = lent}, on_host, on_device); });
  wherry::halo_exchange both(r.grid, {}, on_host, on_device);
  std::ranges::copy(r.filled(1), host.begin());
  r.put(r.filled(2));
  both();
  CHECK(host == r.exchanged(1));
  CHECK(r.get() == r.exchanged(2));
  CHECK(says(both.explain(), "(messages have memory of the host, too)"));
  const bool here = test.rank == 0;
  wherry::halo_exchange on_one_rank(r.grid, {}, here ? on_host : on_device);
  std::ranges::copy(r.filled(3), host.begin());
  r.put(r.filled(3));
  on_one_rank();
  CHECK((here ? host : r.get()) == r.exchanged(3));
  CHECK(!says(on_one_rank.bound().transport(), "device"));
  if (here) CHECK(says(on_one_rank.explain(), "(no field is in device memory)"));
}

// What is not to be had on one rank no rank takes, and all say why.
WHERRY_TEST(memory_that_cannot_be_borrowed, ranks(2, 3, 4)) {
  const with_setting on("device", "fake", "auto");
  const int odd = test.size - 1;
  static wherry::device row;
  row = fake();
  refuses_to_borrow = test.rank == odd;
  row.borrow = [](const wherry::detail::device_ticket& ticket, void*& memory) {
    return refuses_to_borrow ? std::string("not today") : fake().borrow(ticket, memory);
  };
  wherry::use_device(&row);
  exchange_once(test, {}, "not today");
  ring r(test);
  all_throw(test, "by name", wherry::error_kind::resource, "not today",
            [&] { wherry::halo_exchange(r.grid, {.carry = lent}, wherry::halo_inside(r.view(), ring::width)); });
  static wherry::device nothing;
  nothing = fake();
  if (test.rank == odd) nothing.lend = nullptr;
  wherry::use_device(&nothing);
  exchange_once(test, {}, "cannot lend memory");
  wherry::use_device(&fake());
  exchange_once(test, {}, "transport device_shared");
}

// Two starts go ahead of a receiver that does not come; the third waits for it, and says so.
WHERRY_TEST(receivers_that_come_late_to_lent_memory, ranks(2, 3, 4)) {
  if (!may_run_ahead()) test.skip("under WHERRY_CHECK nobody runs ahead");
  const with_setting on("device", "fake", "auto");
  one_way row(test, lent);
  if (test.rank == 0) {
    for (int value = 1; value <= 2; ++value) {
      row.start(value);
      row.exchange->wait();
    }
    row.start(3);
    const with_setting soon("timeout", "0.2", "0");
    CHECK_THROWS_WITH(row.exchange->wait(), "rank 1");
    CHECK(!row.exchange->test());
  }
  patient_barrier(test.comm);
  if (test.rank == 0) row.exchange->wait();
  for (int value = 1; test.rank != 0 && value <= 3; ++value) row.receive(value);
}

// Fields that are written as soon as they have started are packed beside where a peer still reads.
WHERRY_TEST(snapshots_of_lent_memory_do_not_wait, ranks(2, 3, 4)) {
  if (!may_run_ahead()) test.skip("under WHERRY_CHECK nobody runs ahead");
  const with_setting on("device", "fake", "auto");
  one_way row(test, {.transport = "device_shared", .snapshot = true});
  if (test.rank == 0) {
    for (int value = 1; value <= 2; ++value) {
      row.start(value);
      row.put(-5);
      row.exchange->wait();
    }
    row.start(3);
    row.put(-5);
  }
  patient_barrier(test.comm);
  for (int value = 1; test.rank != 0 && value <= 3; ++value) row.receive(value);
  if (test.rank == 0) row.exchange->wait();
}

// What the host copies it takes as early: it waits for room, then.
WHERRY_TEST(snapshots_of_the_host_are_taken_when_start_returns, ranks(2, 3)) {
  if (!may_run_ahead()) test.skip("under WHERRY_CHECK nobody runs ahead");
  const with_setting on("device", "fake", "auto");
  const wherry::communicator comm(test.comm);
  constexpr std::int64_t bytes = 4000;
  wherry::plans::schedule plan;
  plan.pattern = "mine";
  plan.fields = {{"sent", 1, 0, bytes, wherry::memory_space::device}, {"copied", 4, 0, 8}};
  auto& only = plan.stages.emplace_back();
  wherry::plans::block all, from, to;
  all.run = bytes;
  from.field = to.field = 1;
  from.run = to.run = to.offset = 4;
  plan.add_copy(only, {from, to, wherry::detail::store});
  for (int other = 1; test.rank == 0 && other < test.size; ++other)
    only.sends.push_back(plan.make_message(other, wherry::detail::store, {&all, 1}));
  if (test.rank != 0) only.receives.push_back(plan.make_message(0, wherry::detail::store, {&all, 1}));
  const auto memory = wherry::make_on_device<char>(bytes);
  std::array<int, 2> copied{};
  void* const fields[] = {memory.get(), copied.data()};
  std::optional<wherry::exchange> exchange;
  const auto once = [&](int value) {
    copied = {value, 0};
    exchange->start(fields);
    copied[0] = -5;
    exchange->wait();
    CHECK_EQUAL(copied[1], value);
  };
  for (const bool peers_come : {true, false}) {
    exchange.emplace(comm, plan, wherry::plans::functions{},
                     wherry::carry_options{.transport = "device_shared", .snapshot = true});
    if (test.rank == 0) {
      for (int value = 1; value <= (peers_come ? 3 : 2); ++value) once(value);
      if (!peers_come) {
        const with_setting soon("timeout", "0.2", "0");
        CHECK_THROWS_WITH(exchange->start(fields), "rank 1");
      }
    } else if (peers_come) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // rank 0 waits in its third start
    }
    if (!peers_come) patient_barrier(test.comm);
    for (int value = 1; test.rank != 0 && value <= (peers_come ? 3 : 2); ++value) once(value);
  }
}

// Who gives up, or ends, leaves what the peers have yet to read.
WHERRY_TEST(lent_memory_outlasts_its_exchange, ranks(2, 3, 4)) {
  if (!may_run_ahead()) test.skip("under WHERRY_CHECK nobody runs ahead");
  const some_device on;
  for (const bool abandons : {false, true}) {
    std::optional<one_way> row(std::in_place, test, lent);
    const int starts = abandons ? 3 : 2;
    if (test.rank == 0) {
      for (int value = 1; value <= starts; ++value) {
        row->start(value);
        if (value <= 2) row->exchange->wait();
      }
      if (abandons) row->exchange->bound().abandon();
      row->put(-5);
      row.reset();
      const auto others = overwritten();
      patient_barrier(test.comm);
      exchange_once(test, {}, "");  // whoever waits for anything drives what was given up
    } else {
      patient_barrier(test.comm);
      for (int value = 1; value <= starts; ++value) row->receive(value);
      exchange_once(test, {}, "");
    }
  }
}

// So does who frees the communicator, whether its node-shared memory goes with it or has other users.
WHERRY_TEST(lent_memory_outlasts_its_communicator, ranks(2, 3, 4)) {
  if (!may_run_ahead()) test.skip("under WHERRY_CHECK nobody runs ahead");
  const with_setting on("device", "fake", "auto");
  static wherry::device row;
  row = fake();
  row.release = [](void* memory) {
    ++released;
    fake().release(memory);
  };
  wherry::use_device(&row);
  const wherry::communicator others_use_memory(test.comm);
  for (const bool alone : {false, true}) {
    const auto before = std::to_string(wherry::current_settings().arena_size);
    const setting arena("arena_size", alone ? "64M" : before, before);
    context there = test;
    MPI_Comm_dup(test.comm, &there.comm);
    std::optional<one_way> lists(std::in_place, there, lent);
    if (test.rank == 0) {
      lists->start(1);
      lists->exchange->wait();
    } else {
      patient_barrier(test.comm);
      lists->receive(1);
    }
    lists.reset();
    MPI_Comm_free(&there.comm);
    const auto others = overwritten();
    const int while_lent = released;
    if (test.rank == 0) patient_barrier(test.comm);
    patient_barrier(test.comm);
    meet_again(test.comm);
    if (test.rank == 0) CHECK_EQUAL(released, while_lent + 1);
  }
  wherry::use_device(&fake());
}

// Stages follow each other; the peers of who gives up get all of them.
WHERRY_TEST(stages_of_lent_memory, ranks(2, 3, 4)) {
  const some_device on;
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  constexpr index_t length = 10;
  const auto memory = wherry::make_on_device<double>(length * length);
  std::vector<double> host(length * length), result(host.size());
  const auto around = [](double* first) {
    return wherry::halo_inside(wherry::view<double, 2>(first, {length, length}), wherry::halo_widths<2>(2));
  };
  wherry::halo_exchange device(grid, {.axes = {0, 1}}, around(memory.get()));
  wherry::halo_exchange plain(grid, {.axes = {0, 1}}, around(host.data()));
  CHECK(says(device.explain(), "device_shared"));
  for (int round = 0; round < 6; ++round) {
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = 1000.0 * round + 100.0 * test.rank + static_cast<double>(i);
    wherry::copy_on_device(memory.get(), host.data(), host.size() * sizeof(double));
    device.start();
    plain();
    if (round == 5 && test.rank == 0) {
      device.bound().abandon();
      break;
    }
    device.wait();
    wherry::copy_on_device(result.data(), memory.get(), host.size() * sizeof(double));
    CHECK(result == host);
  }
}
