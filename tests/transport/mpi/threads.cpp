// Two threads at once, each with an exchange of its own.
#include <atomic>
#include <thread>

#include "wherry/transport/transport.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

void need_threads(const context& test) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) test.skip("this MPI gives no MPI_THREAD_MULTIPLE");
}

// What one thread does: exchanges, bound by itself, on its own communicator.
void run_cases(const context& test, MPI_Comm comm, int thread, int count) {
  const auto names = usable_transports(comm);
  for (int i = 0; i < count; ++i) {
    random_case now{i, random_numbers(hash(test.seed, thread, i)),
                    "thread " + std::to_string(thread) + ", case " + std::to_string(i)};
    auto what = random_halo_case(now.random, test.size, {.fields = 2});
    what.options.carry.transport = names[static_cast<std::size_t>(i) % names.size()];
    exchange_and_check(what, comm, now);
  }
}

}  // namespace

WHERRY_TEST(two_threads_with_communicators_of_their_own, ranks(1, 2, 4).not_simulated("threads")) {
  need_threads(test);
  MPI_Comm comms[2];
  for (auto& comm : comms) {
    MPI_Comm_dup(test.comm, &comm);
    wherry::communicator made(comm);
  }
  const int count = test.size == 1 ? 100 : test.size == 2 ? 40 : 9;
  {
    std::jthread other([&] { run_cases(test, comms[1], 1, count); });
    run_cases(test, comms[0], 0, count);
  }
  for (auto& comm : comms) MPI_Comm_free(&comm);
}

// Bound in one thread, on one communicator; carried by two.
WHERRY_TEST(two_threads_on_one_communicator, ranks(1, 2, 4).not_simulated("threads")) {
  need_threads(test);
  const wherry::communicator ours(test.comm);
  for (const auto& name : usable_transports(test.comm)) {
    test.note(name);
    random_numbers random(hash(test.seed, name.size()));
    std::vector<halo_case> cases;
    for (int i = 0; i < 2; ++i) {
      cases.push_back(random_halo_case(random, test.size));
      cases.back().options.carry.transport = name;
    }
    std::vector<checked_fields> fields;
    std::vector<wherry::halo_exchange> exchanges;
    for (const auto& c : cases) exchanges.push_back(bind(c, test.comm, fields.emplace_back(c, ours)));
    const auto run = [&](std::size_t which) {
      for (int round = 1; round <= 20; ++round) {
        fields[which].each([&](checked_field& f) { f.fill(round), f.expect_halo(round); });
        exchanges[which]();
        if (!fields[which].check(name + ", thread " + std::to_string(which))) return;
      }
    };
    std::jthread other([&] { run(1); });
    run(0);
  }
}

// Binding is collective, destruction is not: another thread may destroy what was bound before.
WHERRY_TEST(one_thread_binds_while_another_destroys, ranks(1, 2, 4).not_simulated("threads")) {
  need_threads(test);
  const wherry::communicator ours(test.comm);
  random_numbers random(test.seed);
  const auto one = random_halo_case(random, test.size);
  for (const auto& name : usable_transports(test.comm)) {
    test.note(name);
    auto what = one;
    what.options.carry.transport = name;
    checked_fields fields(what, ours);
    std::vector<wherry::halo_exchange> old;
    for (int i = 0; i < 5; ++i) old.push_back(bind(what, test.comm, fields));
    std::atomic<std::size_t> begun{0};  // relaxed, so that it orders nothing
    std::jthread other([&] {
      for (std::size_t gone = 0; !old.empty(); old.pop_back(), ++gone)
        while (begun.load(std::memory_order_relaxed) <= gone) std::this_thread::yield();
    });
    for (int i = 0; i < 5; ++i) {
      begun.fetch_add(1, std::memory_order_relaxed);
      auto exchange = bind(what, test.comm, fields);
      fields.each([&](checked_field& f) { f.fill(i), f.expect_halo(i); });
      exchange();
      fields.check(name);
    }
  }
}
