// All that carries takes the same options, and can be asked the same, whatever its module.
#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/with_setting.hpp"

using namespace wherry_test;

namespace {

/// The questions, by their names and types; who asks changes nothing.
template <class Carrying>
concept can_be_asked = requires(const Carrying& one) {
  { one.transport() } -> std::same_as<std::string>;
  { one.explain() } -> std::same_as<std::string>;
  { one.statistics() } -> std::same_as<wherry::exchange_statistics>;
};

/// What is begun again and again is begun alike, too.
template <class Carrying>
concept is_carried = can_be_asked<Carrying> && requires(Carrying& one) {
  one.start();
  { one.test() } -> std::same_as<bool>;
  one.wait();
  one();
};

/// From ranks that can be waited for one by one.
template <class Carrying>
concept comes_rank_by_rank = is_carried<Carrying> && requires(Carrying& one) {
  { one.wait_some() } -> std::same_as<std::span<const int>>;
};

static_assert(is_carried<wherry::exchange> && is_carried<wherry::bound_pattern>);
static_assert(is_carried<wherry::halo_exchange> && is_carried<wherry::index_exchange>);
static_assert(is_carried<wherry::buffer_exchange> && is_carried<wherry::alltoall_exchange>);
static_assert(is_carried<wherry::bcast_exchange> && is_carried<wherry::scatter_exchange>);
static_assert(is_carried<wherry::gather_exchange> && is_carried<wherry::mover>);
static_assert(is_carried<wherry::collective::persistent>);
static_assert(comes_rank_by_rank<wherry::halo_exchange> && comes_rank_by_rank<wherry::mover>);
static_assert(comes_rank_by_rank<wherry::alltoall_exchange> && comes_rank_by_rank<wherry::buffer_exchange>);
// Begun by a function, by what it writes or publishes, or by another rank.
static_assert(can_be_asked<wherry::collective::running_call> && can_be_asked<wherry::deep::in_flight>);
static_assert(can_be_asked<wherry::byte_segment> && can_be_asked<wherry::segment<double>>);
static_assert(can_be_asked<wherry::published_layouts> && can_be_asked<wherry::rank_group>);
static_assert(can_be_asked<wherry::passive_messages>);
static_assert(can_be_asked<wherry::level_coupling<double, 2>>);
static_assert(can_be_asked<wherry::array_writer>);

/// True: WHERRY_STATS is set.
bool waits_are_measured = false;

/// Every wait reads a clock twice, where it is measured; else none does.
template <class Carrying> void counts_seconds(const Carrying& asked, Carrying& carrying) {
  if (!waits_are_measured) {
    CHECK_EQUAL(asked.statistics().seconds_waiting, 0.0);
    return;
  }
  const double after_wait = asked.statistics().seconds_waiting;
  CHECK(after_wait > 0);
  carrying.start();
  while (!carrying.wait_some().empty()) continue;
  CHECK(asked.statistics().seconds_waiting > after_wait);
}

/// What has been carried once by `two_sided`.
template <class Carrying> void answers(const Carrying& asked, Carrying& carrying) {
  CHECK_EQUAL(asked.transport(), "two_sided");
  CHECK_EQUAL(asked.statistics().exchanges, 0u);
  carrying();
  CHECK_EQUAL(asked.statistics().exchanges, 1u);
  CHECK_EQUAL(asked.statistics().bytes_sent, asked.schedule().bytes_sent());
  CHECK(asked.explain().find("two_sided") != std::string::npos);
  counts_seconds(asked, carrying);
}
template <class Carrying> void answers(Carrying& carrying) { answers(carrying, carrying); }

/// What moves so many bytes each way, and knows by what before.
template <class Carrying, class Carry> void answers_of(const Carrying& asked, std::int64_t bytes, Carry&& carry) {
  const auto by = asked.transport();
  CHECK(!by.empty());
  CHECK_EQUAL(asked.statistics().exchanges, 0u);
  carry();
  CHECK_EQUAL(asked.transport(), by);
  CHECK_EQUAL(asked.statistics().exchanges, 1u);
  CHECK_EQUAL(asked.statistics().bytes_sent, bytes);
  CHECK_EQUAL(asked.statistics().bytes_received, bytes);
}

}  // namespace

/// Every pattern.
void ask_all(const context& test, const wherry::carry_options& by_messages) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const auto& comm = grid.comm();
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  wherry::field<double, 1> u(comm, {4}, 1), all(comm, {test.rank == 0 ? 4 * test.size : 0}, 0);
  std::vector<double> out(4, test.rank), in(4), values(3, test.rank);

  wherry::halo_exchange halo(grid, {.carry = by_messages}, u);
  answers(halo);

  wherry::index_lists lists;
  lists.sends.push_back({next, {1}});
  lists.receives.push_back({before, {2}});
  wherry::index_exchange indices(comm, lists, {.carry = by_messages}, values);
  answers(indices);
  CHECK_EQUAL(values[2], static_cast<double>(before));

  wherry::buffer_exchange buffers(grid, by_messages);
  buffers.send_to({1}, out.data(), 32);
  buffers.receive_from({-1}, in.data(), 32);
  buffers.commit();
  answers(buffers);
  CHECK_EQUAL(in[3], static_cast<double>(before));

  wherry::alltoall_exchange ring(comm, by_messages);
  ring.send(next, out.data(), 32);
  ring.receive(before, in.data(), 32);
  ring.commit();
  answers(ring);

  for (auto& value : values) value = test.rank;
  wherry::bcast_exchange everywhere(grid, {.root = 1, .carry = by_messages},
                                    wherry::view<double, 1>(values.data(), {3}));
  answers(everywhere);
  CHECK_EQUAL(values[0], 1.0);
  wherry::gather_exchange together(grid, u, all, {.carry = by_messages});
  answers(together);
  wherry::scatter_exchange apart(grid, all, u, {.carry = by_messages});
  answers(apart);

  wherry::floor_plan<1> plan;
  for (int r = 0; r < test.size; ++r) plan.add({{4 * r}, {4 * r + 4}}, r);
  wherry::x_array<double, 1> w(comm, plan, {.ghost_width = 1});
  CHECK(w.plan().boxes().data() == plan.boxes().data());  // not a copy
  wherry::mover fill(wherry::halo_motion(w.plan(), wherry::halo_widths<1>(1), {}), w, w, {.carry = by_messages});
  answers(fill);
}

// A collective has an implementation where the others have a transport.
WHERRY_TEST(collectives_are_asked_like_what_carries, ranks(2, 3)) {
  std::vector<double> mine(4, test.rank), sum(4);
  const auto what = wherry::collective::call::allreduce(mine.data(), sum.data(), 4, MPI_DOUBLE, MPI_SUM, test.comm);
  wherry::collective::persistent again(what, {.implementation = "recursive_doubling"});
  answers_of(again, 32, [&] { again(); });
  CHECK_EQUAL(again.transport(), "recursive_doubling");
  CHECK(again.explain().find("recursive_doubling") != std::string::npos);
  auto begun = wherry::collective::start(what);
  answers_of(begun, 32, [&] { begun.wait(); });
  CHECK(begun.explain().find(begun.transport()) != std::string::npos);
}

WHERRY_TEST(what_notifies_is_asked_like_what_carries, ranks(2, 3).not_simulated(one_environment)) {
  wherry::configure("stats", "1");
  wherry::segment<double> ring(test.comm, 4, {.name = "ring"});
  wherry::configure("stats", "0");
  const std::vector<double> out(4, test.rank);
  const int next = (test.rank + 1) % test.size;
  answers_of(ring, 32, [&] {
    ring.write_notify(next, 0, out, 0);
    ring.wait(0);
    std::vector<double> in(4);
    ring.read(next, 0, in);
  });

  wherry::rank_group group(test.comm);
  for (int r = 0; r < test.size; ++r) group.add(r);
  CHECK_EQUAL(group.transport(), "");
  group.commit();
  std::vector<double> sum(4);
  answers_of(group, 32, [&] { group.allreduce(std::span<const double>(out), sum, std::plus<>{}); });
  group.barrier();
  CHECK_EQUAL(group.statistics().exchanges, 2u);

  wherry::passive_messages requests(test.comm, {.name = "requests"});
  answers_of(requests, 32, [&] {
    requests.send(next, std::as_bytes(std::span(out)));
    requests.receive(std::as_writable_bytes(std::span(sum)));
  });
  CHECK(requests.explain().find("'requests'") != std::string::npos);
}

WHERRY_TEST(groups_say_by_what_their_ranks_meet, ranks(1, 3).not_simulated(one_environment)) {
  for (const int node_size : {0, 1, 2}) {
    wherry::configure("node_size", std::to_string(node_size));
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &own);
    const wherry::communicator comm(own);
    wherry::rank_group group(comm);
    for (int r = 0; r < test.size; ++r) group.add(r);
    group.commit();
    const bool has_far = test.size > 1 && node_size > 0, has_near = node_size != 1 && test.rank < 2;
    CHECK_EQUAL(group.transport(), has_far && has_near ? "two_sided + shared" : has_far ? "two_sided" : "shared");
    group.barrier();
    MPI_Comm_free(&own);
  }
  wherry::configure("node_size", "0");
}

WHERRY_TEST(what_carries_is_asked_alike, ranks(2, 3)) { ask_all(test, {.transport = "two_sided"}); }

WHERRY_TEST(all_that_carries_counts_the_seconds_of_its_waits, ranks(2, 3).not_simulated(one_environment)) {
  const with_setting statistics("stats", "1", "0");
  waits_are_measured = true;
  ask_all(test, {.transport = "two_sided"});
  waits_are_measured = false;
}

// Then `auto` is two_sided.
WHERRY_TEST(all_that_carries_does_so_in_packets, ranks(2, 3)) { ask_all(test, {.packet_bytes = 8}); }
