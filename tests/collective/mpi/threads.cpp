// Collectives by several threads of a rank at once, each on a communicator of its own.
#include <mpi.h>

#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"

#include "harness/harness.hpp"
#include "oracle.hpp"

using namespace wherry_test;
using collective_oracle::random_trial;
using wherry::collective::kind;

namespace {

constexpr int first_of_neighbours = static_cast<int>(kind::neighbor_allgather);

void need_threads(const context& test) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) test.skip("this MPI gives no MPI_THREAD_MULTIPLE");
}

/// All that can be called, twice, in an order that is this thread's, the same on all ranks; some in two phases.
void call_everything(const context& test, int thread, MPI_Comm comm) {
  random_numbers random(hash(test.seed, thread));
  std::vector<std::pair<std::string_view, kind>> all;
  for (const auto& row : wherry::collective::implementations_there_are())
    for (int k = 0; k < first_of_neighbours; ++k) all.insert(all.end(), 2, {row.name, static_cast<kind>(k)});
  random.shuffle(all);
  for (const auto& [name, what] : all) {
    const auto one = random_trial(random, what, comm, random.one_of({1, 7, 300, 9000}));
    const bool can = wherry::collective::obstacle(one->what, name).empty();
    if (can && random.chance(30)) {
      auto begun = wherry::collective::start(one->what, {.protected_buffer = false, .implementation = name});
      begun.wait();
    } else {
      wherry::collective::run(one->what, name);
    }
    const auto wrong = one->verdict();
    if (fault(!wrong.empty()))
      CHECK_EQUAL("thread " + std::to_string(thread) + ", " + std::string(name) + ": " + wrong, std::string());
  }
}

}  // namespace

WHERRY_TEST(threads_have_communicators_of_their_own, ranks(1, 2, 3, 4).not_simulated("threads")) {
  need_threads(test);
  std::vector<MPI_Comm> comms(3, MPI_COMM_NULL);
  for (std::size_t i = 0; i < comms.size(); ++i)  // one of them in another order
    MPI_Comm_split(test.comm, 0, i == 1 ? -test.rank : test.rank, &comms[i]);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < comms.size(); ++i)
      threads.emplace_back([&, i] { call_everything(test, static_cast<int>(i), comms[i]); });
  }
  for (auto& comm : comms) MPI_Comm_free(&comm);
}
