// Structures in flight: many at once, in any order, with every kind of other end.
#include "wherry/deep/in_flight.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "deep/mpi/family.hpp"
#include "harness/patient.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

const std::vector<int>& sizes() {
  static const std::vector<int> list{0, 1, 20, 700, 3000};
  return list;
}

std::uint64_t seed_of(const context& test, int from, std::size_t number) {
  return hash(test.seed, static_cast<std::uint64_t>(from), number);
}

std::vector<std::size_t> shuffled(std::size_t n, random_numbers& random) {
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  random.shuffle(order);
  return order;
}

}  // namespace

// Every rank to every rank, itself included; waited for, tested, or left to the destructor, in random order.
WHERRY_TEST(everybody_to_everybody, ranks(1, 2, 3, 4).not_simulated("the square of the ranks")) {
  const node_communicators comms(test.comm);
  random_numbers random(hash(test.seed, static_cast<std::uint64_t>(test.rank)));
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    const auto ranks = static_cast<std::size_t>(test.size), all = sizes().size() * ranks;
    std::vector<family> arrived(all);
    std::vector<deep::in_flight> leaving(all), arriving(all);
    const auto people_of = [&](std::size_t i) { return sizes()[i / ranks]; };
    const auto peer_of = [&](std::size_t i) { return static_cast<int>(i % ranks); };
    const auto tag_of = [&](std::size_t i) { return static_cast<int>(i / ranks); };
    for (const auto i : shuffled(all, random)) {
      family original(seed_of(test, test.rank, i), people_of(i));
      leaving[i] = deep::start_send(comm, original.head, peer_of(i), {.tag = tag_of(i)});
    }  // which is gone now: what travels is a snapshot
    for (const auto i : shuffled(all, random))
      arriving[i] = deep::start_receive(comm, arrived[i].head, peer_of(i), {.tag = tag_of(i)});
    for (const auto i : shuffled(all, random)) {
      if (random.chance(50)) {
        arriving[i].wait();
      } else {
        while (!arriving[i].test()) wherry::detail::progress_mpi(comm.private_handle());
      }
      CHECK(arriving[i].test());
      CHECK_EQUAL(arriving[i].source(), peer_of(i));
      const auto number = i / ranks * ranks + static_cast<std::size_t>(test.rank);
      const family original(seed_of(test, peer_of(i), number), people_of(i));
      CHECK(same(arrived[i].head, original.head));
    }
  }
}

// A started end and a blocking one.
WHERRY_TEST(mixed_ends, ranks(2, 3, 4).not_simulated("many messages a rank")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    for (const int people : {0, 1, 700, 12000}) {
      const family original(test.seed, people);
      family first, second;
      const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
      auto leaving = deep::start_send(comm, original.head, to, {.tag = 1});
      auto arriving = deep::start_receive(comm, second.head, from, {.tag = 2});
      deep::receive(comm, first.head, from, {.tag = 1});
      // All send at once, streaming: the receives that were started are driven meanwhile.
      deep::send(comm, original.head, to, {.tag = 2});
      arriving.wait();
      leaving.wait();
      CHECK(same(first.head, original.head));
      CHECK(same(second.head, original.head));
    }
  }
}

WHERRY_TEST(broadcasts_in_any_order, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  random_numbers random(hash(test.seed, static_cast<std::uint64_t>(test.rank)));
  constexpr std::size_t all = 12;
  std::vector<family> arrived(all);
  std::vector<deep::in_flight> flights;
  const auto root_of = [&](std::size_t i) { return static_cast<int>(i) % test.size; };
  const auto original = [&](std::size_t i) {
    return family(seed_of(test, root_of(i), i), sizes()[i % sizes().size()]);
  };
  for (std::size_t i = 0; i < all; ++i) {
    if (test.rank == root_of(i)) arrived[i] = original(i);
    flights.push_back(deep::start_bcast(comm, arrived[i].head, root_of(i)));
  }
  for (const auto i : shuffled(all, random)) {
    flights[i].wait();
    CHECK(same(arrived[i].head, original(i).head));
  }
}

WHERRY_TEST(arrays_in_flight, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  std::vector<double> numbers(50000, 1.5);
  double* here = numbers.data();
  const int me = test.rank;
  auto one = deep::start_send(comm, deep::array(here, 50000), me, {.tag = 1});
  auto two = deep::start_send(comm, deep::array(here, 20), me, {.tag = 2});
  auto three = deep::start_send(comm, deep::array(here, 21), me, {.tag = 3});
  numbers.assign(numbers.size(), -1.0);
  double *first = nullptr, *second = nullptr, *third = nullptr;
  std::size_t count = 0;
  auto a = deep::start_receive(comm, deep::array(first, count), me, {.tag = 1});
  auto b = deep::start_receive(comm, deep::array(second, 20), me, {.tag = 2});
  auto c = deep::start_receive(comm, deep::array(third, 20), me, {.tag = 3});
  CHECK_THROWS_WITH(c.wait(), "where 20 are expected");
  b.wait();
  a.wait();
  CHECK_EQUAL(count, 50000u);
  CHECK(third == nullptr);
  for (std::size_t i = 0; i < count; ++i) CHECK(first[i] == 1.5);
  for (std::size_t i = 0; i < 20; ++i) CHECK(second[i] == 1.5);
  deep::destroy(deep::array(first, count));
  deep::destroy(deep::array(second, 20));
}

// Destroyed, assigned to and moved while in flight: it is waited for, and delivered.
WHERRY_TEST(flights_that_are_dropped, ranks(1, 2, 3)) {
  const wherry::communicator comm(test.comm);
  const family original(test.seed, 3000);
  const int to = (test.rank + 1) % test.size, from = (test.rank + test.size - 1) % test.size;
  family one, two, three;
  deep::arena place;
  {
    auto leaving = deep::start_send(comm, original.head, to);
    const auto second = deep::start_send(comm, original.head, to), third = deep::start_send(comm, original.head, to);
    auto arriving = deep::start_receive(comm, one.head, from);
    arriving = deep::start_receive(comm, two.head, from);
    CHECK(same(one.head, original.head));
    deep::in_flight moved(std::move(arriving));
    auto last = deep::start_receive(comm, three.head, from, {.arena = &place});
    std::optional<deep::in_flight> kept(std::move(last));
    leaving = deep::in_flight();
  }
  CHECK(same(two.head, original.head));
  CHECK(same(three.head, original.head));
  three.head = nullptr;  // the arena's
  const deep::in_flight nothing;
}

WHERRY_TEST(a_flight_that_nobody_meets_is_a_timeout, ranks(2).not_simulated("one rank waits")) {
  const wherry::communicator comm(test.comm);
  family arrived;
  const family original(test.seed, 700);
  std::optional<deep::in_flight> arriving;
  if (test.rank == 0) arriving = deep::start_receive(comm, arrived.head, 1);
  if (test.rank == 0) {
    const setting timeout("timeout", "0.2", "0");
    CHECK(!arriving->test());
    CHECK_THROWS_WITH(arriving->wait(), "not arrived: rank 1");
  }
  patient_barrier(test.comm);
  if (test.rank == 1) deep::send(comm, original.head, 0);
  if (test.rank == 0) {
    arriving->wait();  // it is still in flight
    CHECK(same(arrived.head, original.head));
  }
}
