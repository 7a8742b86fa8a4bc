// Random motions of every kind against the oracle.
#include "motion/mpi/run.hpp"

using namespace wherry_test;

namespace {

void random_motions(context& test, int wanted, bool proxy) {
  const carriers by(test);
  for_each_case(test, wanted, [&](random_case& now) {
    auto what = random_motion_case(now.random, test.size);
    what.proxy = proxy;
    const MPI_Comm comm = by.choose(what, now);
    const random_settings settings(now.random);
    move_and_check(what, comm, now, any_bytes(what.element));
  });
}

}  // namespace

WHERRY_TEST(random_motions, ranks(1, 2, 3, 4, 8)) { random_motions(test, 3000, false); }

WHERRY_TEST(random_motions_by_proxy, ranks(1, 2).not_simulated("a thread")) { random_motions(test, 300, true); }

// Whoever carries it: the same case under every transport there is, each against the oracle.
WHERRY_TEST(all_transports_agree, ranks(1, 2, 3, 4)) {
  const carriers by(test);
  for_each_case(test, 100, [&](random_case& now) {
    auto what = random_motion_case(now.random, test.size);
    const auto& [comm, transports] = by.pick(now.random);
    for (const auto& name : transports) {
      what.transport = name;
      move_and_check(what, comm, now, any_bytes(what.element));
    }
  });
}

// Several movers under way together; each rank starts them in an order of its own and waits in another.
WHERRY_TEST(several_in_flight, ranks(1, 2, 3, 4, 8)) {
  const carriers by(test);
  for_each_case(test, 300, [&](random_case& now) {
    const auto& [comm, transports] = by.pick(now.random);
    const wherry::communicator ours(comm);
    const auto count = static_cast<std::size_t>(now.random.between(2, 4));
    std::vector<motion_case> cases;
    std::vector<live_motion> live;
    cases.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      cases.push_back(random_motion_case(now.random, test.size, {.dimensions = 3}));
      cases.back().transport = now.random.one_of(transports);
      log(now.title + ", " + cases.back().transport + ": " + cases.back().text());
      live.push_back(bind(cases.back(), ours));
    }
    for (int round = 1; round <= 3; ++round) {
      std::vector<motion_under_way> moving;
      for (std::size_t i = 0; i < count; ++i)
        moving.emplace_back(cases[i], live[i], any_bytes(cases[i].element), round == 2, round);
      std::vector<std::size_t> order(count);
      for (std::size_t i = 0; i < count; ++i) order[i] = i;
      random_numbers mine(hash(now.number, round, test.rank));
      mine.shuffle(order);
      for (const auto i : order) moving[i].start();
      mine.shuffle(order);
      for (const auto i : order) {
        moving[i].finish(mine);
        moving[i].check(now.title + ", " + std::to_string(i) + " of " + std::to_string(count) + " in flight");
      }
    }
  });
}
