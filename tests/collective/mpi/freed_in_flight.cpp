// What a program may free or change as soon as a call has begun: lists, datatypes, operations and the communicator. By
// every implementation, several calls in flight, ended in any order.
#include <mpi.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wherry/collective/choice.hpp"
#include "wherry/collective/run.hpp"
#include "wherry/core/error.hpp"

#include "harness/harness.hpp"
#include "oracle.hpp"
#include "support/with_setting.hpp"
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
namespace collective = wherry::collective;

namespace {

/// A call on a communicator of its own.
class flight {
 public:
  flight(context& test, random_numbers& random, std::string_view by, kind what, bool persistently)
      : by_(by), persistently_(persistently) {
    const int most = random.one_of({1, 7, 300});
    if (static_cast<int>(what) >= first_of_neighbours) {
      where_ = random_topology(random, test.comm);
      trial_ = random_trial_of_neighbors(random, what, *where_, most);
      comm_ = std::exchange(where_->comm, MPI_COMM_NULL);
    } else {
      MPI_Comm_dup(test.comm, &comm_);
      trial_ = random_trial(random, what, comm_, most);
    }
  }
  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;
  ~flight() {
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
  }

  bool is_possible() const { return collective::obstacle(trial_->what, by_).empty(); }
  std::string title() const { return std::string(by_) + " " + trial_->name; }

  void begin() {
    const collective::start_options how{.implementation = by_};
    if (persistently_) {
      again_ = std::make_unique<collective::persistent>(trial_->what, how);
      give_back_arguments();
      again_->start();
    } else {
      once_ = collective::start(trial_->what, how);
      give_back_arguments();
    }
  }
  void free_communicator() { MPI_Comm_free(&comm_); }
  void end() {
    persistently_ ? again_->wait() : once_.wait();
    CHECK_EQUAL(persistently_ ? again_->transport() : once_.transport(), std::string(by_));
    if (const auto wrong = trial_->verdict(); !wrong.empty()) FAIL(title() + ": " + wrong);
  }

 private:
  /// The oracle keeps a duplicate of the datatype by which it compares.
  void give_back_arguments() {
    auto& all = *trial_;
    std::vector<MPI_Datatype> kept;
    if (all.compared_type != MPI_DATATYPE_NULL) {
      MPI_Type_dup(all.compared_type, &kept.emplace_back());
      all.compared_type = kept.back();
    }
    for (auto& type : all.types_to_free) MPI_Type_free(&type);
    for (auto& op : all.ops_to_free) MPI_Op_free(&op);
    all.types_to_free = kept;
    all.ops_to_free.clear();
    for (auto* list : {&all.send_counts, &all.send_places, &all.receive_counts, &all.receive_places})
      std::fill(list->begin(), list->end(), 0x7f7f7f7f);
    for (auto* list : {&all.send_types, &all.receive_types}) std::fill(list->begin(), list->end(), MPI_DATATYPE_NULL);
    for (auto* list : {&all.send_addresses, &all.receive_addresses}) std::fill(list->begin(), list->end(), 1);
  }

  std::string_view by_;
  bool persistently_;
  std::unique_ptr<topology> where_;
  std::unique_ptr<trial> trial_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  collective::running_call once_;
  std::unique_ptr<collective::persistent> again_;
};

/// MPI's own forms may have another idea of the order of neighbours than the oracle, and not every MPI lets them end
/// after their arguments have gone.
bool is_mpis(std::string_view name) { return name == "mpi" || name == "nonblocking"; }

std::vector<std::pair<std::string_view, kind>> all_calls(random_numbers& random) {
  std::vector<std::pair<std::string_view, kind>> all;
  for (const auto& row : collective::implementations_there_are())
    for (int k = 0; k < collective::kinds; ++k)
      if (k < first_of_neighbours || !is_mpis(row.name)) all.emplace_back(row.name, static_cast<kind>(k));
  random.shuffle(all);
  return all;
}

}  // namespace

WHERRY_TEST(what_a_call_refers_to_may_go_while_it_is_in_flight, ranks(1, 2, 3, 4, 8).not_simulated(same_among_few)) {
  random_numbers random(test.seed), own(hash(test.seed, test.rank));
  const auto all = all_calls(random);
  constexpr std::size_t at_once = 6;
  for (std::size_t first = 0; first < all.size(); first += at_once) {
    std::vector<std::unique_ptr<flight>> some;
    for (std::size_t i = first; i < std::min(first + at_once, all.size()); ++i) {
      auto one = std::make_unique<flight>(test, random, all[i].first, all[i].second, random.chance(30));
      if (one->is_possible()) some.push_back(std::move(one));
    }
    for (auto& one : some) {
      test.note(one->title());
      one->begin();
    }
    for (auto& one : some)
      if (random.chance(70)) one->free_communicator();
    std::vector<flight*> order;
    for (const auto& one : some) order.push_back(one.get());
    own.shuffle(order);
    for (auto* const one : order) one->end();
  }
}

/// The others wait for it in MPI_Comm_free no longer than they may, and go on to say so.
WHERRY_TEST(a_communicator_is_freed_though_a_rank_does_not_begin, ranks(2, 3).not_simulated("real time must pass")) {
  for (const std::string_view name : {"shared", "linear", "nonblocking"}) {
    test.note(std::string(name));
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &comm);
    collective::run(call::barrier(comm));
    static int mine = 1, sum = 0;
    collective::running_call begun;
    const with_setting limit("timeout", "0.2", "0");
    if (test.rank > 0)
      begun = collective::start(call::allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm), {.implementation = name});
    MPI_Comm_free(&comm);
    if (test.rank > 0) CHECK_THROWS_WITH(begun.wait(), "WHERRY_TIMEOUT");
    MPI_Barrier(test.comm);
  }
  int one = 1, all = 0;
  collective::run(call::allreduce(&one, &all, 1, MPI_INT, MPI_SUM, test.comm));
  CHECK_EQUAL(all, test.size);
}

WHERRY_TEST(a_persistent_call_keeps_the_name_of_its_implementation, ranks(1, 2, 3)) {
  static int mine = 1, sum = 0;
  std::string name = "nonblocking";
  collective::persistent again(call::allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, test.comm), {.implementation = name});
  name = "changed_text";
  CHECK_EQUAL(again.transport(), "nonblocking");
  for (int round = 0; round < 2; ++round) {
    sum = 0;
    again();
    CHECK_EQUAL(sum, test.size);
  }
  CHECK_EQUAL(again.transport(), "nonblocking");
}
