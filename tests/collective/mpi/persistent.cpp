// Calls that start again and again: of every kind, by every implementation, several in flight, with other data each
// time.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "oracle.hpp"
#include "topologies.hpp"

using namespace wherry_test;
using collective_oracle::first_of_neighbours;
using collective_oracle::random_topology;
using collective_oracle::random_trial;
using collective_oracle::random_trial_of_neighbors;
using collective_oracle::same_among_few;
using collective_oracle::topology;
using collective_oracle::trial;
using wherry::collective::call;
using wherry::collective::kind;
using wherry::collective::persistent;

namespace {

bool is_of_neighbours(kind what) { return static_cast<int>(what) >= first_of_neighbours; }

/// A persistent call, its buffers, and what they are to have next.
class standing_call {
 public:
  standing_call(context& test, std::string_view name, kind what, const topology& where, std::uint64_t seed)
      : test_(test), kind_(what), where_(where), seed_(seed), trial_(version(0)) {
    // MPI's non-blocking forms may have another idea of the order of neighbours.
    const bool by_mpi = name == "mpi" || name == "nonblocking";
    by_ = is_of_neighbours(what) && by_mpi ? "linear" : name;
    by_ = wherry::collective::obstacle(trial_->what, by_).empty() ? by_ : "mpi";
    if (by_ == "mpi" && is_of_neighbours(what)) by_ = "linear";
    again_ = std::make_unique<persistent>(trial_->what, wherry::collective::start_options{.implementation = by_});
  }

  void start(int round) {
    trial_->take_contents_of(*version(round));
    again_->start();
  }
  void must_not_start() {
    try {
      again_->start();
      CHECK_EQUAL(title() + " started twice", "");
    } catch (const wherry::error& failure) {
      CHECK(failure.kind() == wherry::error_kind::state);
    }
  }
  void end(bool by_asking) {
    test_.note(title());
    if (by_asking)
      while (!again_->test()) std::this_thread::yield();
    else
      again_->wait();
    CHECK_EQUAL(again_->transport(), std::string(by_));
    if (const auto wrong = trial_->verdict(); fault(!wrong.empty())) FAIL(title() + ": " + wrong);
  }
  std::string title() const { return std::string(by_) + " " + trial_->name; }

 private:
  std::unique_ptr<trial> version(int round) const {
    random_numbers random(seed_);
    const int most = random.one_of({1, 7, 300, 3000});
    return is_of_neighbours(kind_) ? random_trial_of_neighbors(random, kind_, where_, most, round)
                                   : random_trial(random, kind_, test_.comm, most, round);
  }

  context& test_;
  kind kind_;
  const topology& where_;
  std::uint64_t seed_;
  std::unique_ptr<trial> trial_;
  std::string_view by_;
  std::unique_ptr<persistent> again_;
};

using standing_calls = std::vector<std::unique_ptr<standing_call>>;

/// @param own each rank's
void start_and_end(standing_calls& all, int round, random_numbers& own) {
  for (auto& one : all) one->start(round);
  if (own.chance(20)) all[static_cast<std::size_t>(own.between(0, static_cast<int>(all.size()) - 1))]->must_not_start();
  std::vector<standing_call*> order;
  for (const auto& one : all) order.push_back(one.get());
  own.shuffle(order);
  for (auto* one : order) one->end(own.chance(30));
}

struct going_wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

WHERRY_TEST(persistent_ones_of_every_kind_start_again_and_again, ranks(1, 2, 3, 4, 8).not_simulated(same_among_few)) {
  random_numbers random(test.seed), own(hash(test.seed, test.rank));
  std::vector<std::pair<std::string_view, kind>> all;
  for (const auto& row : wherry::collective::implementations_there_are())
    for (int k = 0; k < wherry::collective::kinds; ++k) all.emplace_back(row.name, static_cast<kind>(k));
  random.shuffle(all);
  constexpr std::size_t at_once = 6;
  for (std::size_t first = 0; first < all.size(); first += at_once) {
    const auto where = random_topology(random, test.comm);
    standing_calls some;
    for (std::size_t i = first; i < std::min(first + at_once, all.size()); ++i)
      some.push_back(std::make_unique<standing_call>(test, all[i].first, all[i].second, *where, random.next()));
    for (int round = 0; round < (test.size > 4 ? 2 : 4); ++round) {
      start_and_end(some, round, own);
      random.shuffle(some);  // another order on all ranks
    }
  }
}

WHERRY_TEST(a_persistent_one_is_not_started_twice, ranks(1, 2, 3).simulated_in(3)) {
  int cases = 0;
  std::vector<int> mine(50), sum(50);
  for (const char* name : {"shared", "ring", "nonblocking"}) {
    if (!test.has(cases++)) continue;
    persistent again(call::allreduce(mine.data(), sum.data(), 50, MPI_INT, MPI_SUM, test.comm),
                     {.implementation = name});
    for (int round = 1; round < 5; ++round) {
      for (auto& value : mine) value = round * (test.rank + 1);
      again.start();
      CHECK_THROWS_WITH(again.start(), "before the last call ended");
      again.wait();
      for (const int value : sum) CHECK_EQUAL(value, round * test.size * (test.size + 1) / 2);
    }
  }
}

/// In flight when an exception passes: the communicator says so afterwards, and is freed as ever.
WHERRY_TEST(a_persistent_one_that_is_destroyed_in_flight_is_given_up, ranks(1, 2, 3, 4).simulated_in(8)) {
  int cases = 0;
  for (const std::string_view name :
       {"mpi", "nonblocking", "shared", "hierarchical", "one_sided", "pgas", "linear", "recursive_doubling"}) {
    if (!test.has(cases++)) continue;
    test.note(std::string(name));
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    static std::vector<int> mine(50, 1), sum(50);  // MPI may yet write to it
    const auto what = call::allreduce(mine.data(), sum.data(), 50, MPI_INT, MPI_SUM, comm);
    try {
      persistent again(what, {.implementation = name});
      again();
      CHECK_EQUAL(sum[0], test.size);
      again.start();
      throw going_wrong("between start and wait");
    } catch (const going_wrong&) {
    }
    CHECK_THROWS_WITH(wherry::collective::run(what, "linear"), "was given up");
    MPI_Barrier(test.comm);
    MPI_Comm_free(&comm);
  }
  int one = 1, all = 0;
  wherry::collective::run(call::allreduce(&one, &all, 1, MPI_INT, MPI_SUM, test.comm));
  CHECK_EQUAL(all, test.size);
}
