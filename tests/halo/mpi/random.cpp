// Random halo exchanges of every kind against the oracle.
#include <algorithm>
#include <optional>

#include "wherry/core/settings.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// A case on one of the communicators; every transport has its turn.
MPI_Comm choose(halo_case& what, random_case& now, const node_communicators& comms) {
  const MPI_Comm comm = comms.pick(now.random);
  const auto names = usable_transports(comm);
  what.options.carry.transport = names[static_cast<std::size_t>(now.number) % names.size()];
  if (now.random.chance(15)) what.options.carry.packet_bytes = now.random.between(8, 400);
  return comm;
}

void random_exchanges(context& test, int wanted) {
  const node_communicators comms(test.comm);
  for_each_case(test, wanted, [&](random_case& now) {
    auto what = random_halo_case(now.random, test.size);
    const MPI_Comm comm = choose(what, now, comms);
    std::optional<setting> check, limit;
    if (now.random.chance(30)) check.emplace("check", "1", "0");
    if (now.random.chance(20)) limit.emplace("message_limit", std::to_string(8 * now.random.between(1, 8)), "1G");
    exchange_and_check(what, comm, now);
  });
}

}  // namespace

WHERRY_TEST(random_halos, ranks(1, 2, 3, 4, 6, 8)) { random_exchanges(test, 1500); }

WHERRY_TEST(random_halos_with_progress_thread, ranks(1, 2, 3, 4, 8).not_simulated("a thread")) {
  const setting thread("progress_thread", "1", "0");
  random_exchanges(test, 400);
}

// Two exchanges under way together. Each rank starts them in an order of its own, and waits for them in an order of its
// own where each needs no more of a peer than its start (which `by_dimension` does).
WHERRY_TEST(two_in_flight, ranks(1, 2, 3, 4, 6, 8)) {
  const node_communicators comms(test.comm);
  for_each_case(test, 300, [&](random_case& now) {
    const MPI_Comm comm = comms.pick(now.random);
    const auto names = usable_transports(comm);
    const wherry::communicator ours(comm);
    std::vector<halo_case> cases;
    for (int i = 0; i < 2; ++i) {
      cases.push_back(random_halo_case(now.random, test.size));
      cases.back().options.carry.transport = now.random.one_of(names);
      log(now.title + ", " + cases.back().options.carry.transport + ": " + cases.back().text());
    }
    std::vector<checked_fields> fields;
    std::vector<wherry::halo_exchange> exchanges;
    for (const auto& c : cases) exchanges.push_back(bind(c, comm, fields.emplace_back(c, ours)));
    const bool same_order = std::ranges::any_of(
        cases, [](const halo_case& c) { return c.options.order == wherry::halo_order::by_dimension; });
    for (int round = 1; round <= 3; ++round) {
      const auto order = hash(now.number, round, test.rank);
      const std::size_t started_first = order & 1, waited_first = same_order ? round % 2 : order >> 1 & 1;
      for (auto& f : fields) f.each([&](checked_field& one) { one.fill(round), one.expect_halo(round); });
      exchanges[started_first].start();
      exchanges[1 - started_first].start();
      exchanges[waited_first].wait();
      fields[waited_first].check(now.title + ", waited for first");
      exchanges[1 - waited_first].wait();
      fields[1 - waited_first].check(now.title + ", waited for second");
    }
  });
}

// Whatever the order in which the halo is filled: same case, all orders, same bytes as the oracle's.
WHERRY_TEST(all_orders_agree, ranks(1, 2, 4, 6)) {
  for_each_case(test, 40, [&](random_case& now) {
    auto what = random_halo_case(now.random, test.size);
    for (const auto order : {wherry::halo_order::automatic, wherry::halo_order::direct,
                             wherry::halo_order::wrapped_last, wherry::halo_order::by_dimension}) {
      what.options.order = order;
      exchange_and_check(what, test.comm, now);
    }
  });
}
