#include "support/case_runner.hpp"

#include <chrono>
#include <cstdlib>

#include "wherry/core/settings.hpp"
#include "wherry/device/device.hpp"
#include "wherry/transport/transport.hpp"

namespace wherry_test {

namespace {

using clock = std::chrono::steady_clock;

// Seconds for all cases of one test.
double budget() {
  const char* asked = std::getenv("WHERRY_TEST_SECONDS");
  return asked != nullptr ? std::atof(asked) : 1.5;
}

int scaled(int wanted, int ranks) {
  const int parts = ranks <= 2 ? 1 : ranks <= 4 ? 3 : 6;
  return std::max(wanted / parts, 8);
}

// So many are run however long they take. Hundreds of simulated ranks take seconds a case.
int least_of(int count, int ranks) { return ranks > 16 ? 1 : std::min(count, std::max(count / 10, 8)); }

// Rank 0's clock decides for all.
bool time_is_up(const context& test, clock::time_point began) {
  int up = std::chrono::duration<double>(clock::now() - began).count() > budget() ? 1 : 0;
  MPI_Bcast(&up, 1, MPI_INT, 0, test.comm);
  return up != 0;
}

void poll(wherry::halo_exchange& exchange, random_numbers& random) {
  if (random.chance(30)) {
    while (!exchange.test()) {
    }
    return;
  }
  for (int i = random.between(0, 3); i-- > 0;)
    if (exchange.test()) return;
  exchange.wait();
}

}  // namespace

namespace {

// Not everywhere between hosts: Open MPI 4 over TCP has none with MPI_THREAD_MULTIPLE.
bool there_are_windows(MPI_Comm comm) {
  MPI_Comm quiet = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &quiet);
  MPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
  MPI_Win window = MPI_WIN_NULL;
  int made = MPI_Win_create_dynamic(MPI_INFO_NULL, quiet, &window) == MPI_SUCCESS ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &made, 1, MPI_INT, MPI_MIN, quiet);
  if (window != MPI_WIN_NULL) MPI_Win_free(&window);
  MPI_Comm_free(&quiet);
  return made != 0;
}

}  // namespace

nodes_of::nodes_of(MPI_Comm comm, int ranks_a_node) {
  const setting node_size("node_size", std::to_string(ranks_a_node), "0");
  MPI_Comm_dup(comm, &mine_);
  wherry::communicator made(mine_);  // keeps the node's size with the communicator
}

node_communicators::node_communicators(MPI_Comm comm) {
  for (const char* size : {"0", "1", "2"}) {
    const setting node_size("node_size", size, "0");
    MPI_Comm_dup(comm, &list_.emplace_back());
    wherry::communicator made(list_.back());  // keeps the node's size with the communicator
  }
}

node_communicators::~node_communicators() {
  for (auto& comm : list_) MPI_Comm_free(&comm);
}

std::vector<std::string> usable_transports(MPI_Comm comm) {
  const wherry::communicator ours(comm);
  // Nodes may differ in size; what one rank cannot use no rank may.
  int one_node = std::ssize(ours.node_ranks()) == ours.size() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &one_node, 1, MPI_INT, MPI_MIN, comm);
  // Where WHERRY_TRANSPORT names one, that carries all, whatever is asked for.
  if (const auto& forced = wherry::current_settings().transport; forced != "auto") return {forced};
  // Windows of hundreds of simulated ranks take SimGrid minutes; `simulated` has one test of them.
  static const bool on_hosts = std::getenv("WHERRY_HOSTS") != nullptr;
  const bool windows = ours.size() <= 16 && (!on_hosts || there_are_windows(comm));
  std::vector<std::string> names{"auto"};
  for (const auto* row : wherry::transports::all_transports())
    // What reaches nothing but device memory is asked for by tests that have all fields there (device_transports).
    if (!row->device_memory && (one_node != 0 || !row->node_only) &&
        (windows || (row->name != "one_sided" && row->name != "aggregated")))
      names.push_back(row->name);
  // What reaches the device's own memory only auto takes in random cases, of which some have fields on the host.
  if (wherry::device_in_use() != nullptr) names.insert(names.end(), 3, "auto");
  return names;
}

std::vector<std::string> device_transports(MPI_Comm comm) {
  auto names = usable_transports(comm);
  const wherry::communicator ours(comm);
  int one_node = std::ssize(ours.node_ranks()) == ours.size() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &one_node, 1, MPI_INT, MPI_MIN, comm);
  for (const auto* row : wherry::transports::all_transports())
    if (names.size() > 1 && row->device_memory && (row->absence == nullptr || row->absence().empty()) &&
        (one_node != 0 || !row->node_only))
      names.push_back(row->name);
  return names;
}

void for_each_case(const context& test, int wanted, const std::function<void(random_case&)>& body) {
  const char* only = std::getenv("WHERRY_TEST_CASE");
  const auto began = clock::now();
  const int count = scaled(wanted, test.size), least = least_of(count, test.size);
  int done = 0;
  for (int i = 0; i < count; ++i) {
    if (only != nullptr && std::atoi(only) != i) continue;
    const bool look = done >= least && (test.size > 16 || i % 4 == 3);
    if (look && only == nullptr && time_is_up(test, began)) break;
    random_case now{i, random_numbers(hash(test.seed, i)),
                    "case " + std::to_string(i) + " of seed " + std::to_string(test.seed)};
    test.note(now.title);
    body(now);
    ++done;
  }
  test.count_cases(done, count);
}

void exchange_and_check(const halo_case& what, MPI_Comm comm, random_case& now) {
  auto& random = now.random;
  const wherry::communicator ours(comm);
  halo_case elsewhere = what;  // other memory of the same shape, for the later rounds
  for (auto& f : elsewhere.fields)
    if (random.chance(30)) f.shared = !f.shared;
  checked_fields fields(what, ours), others(elsewhere, ours);
  log(now.title + ", " + what.options.carry.transport + ": " + what.text());
  auto exchange = bind(what, comm, fields);
  for (int round = 1; round <= 3; ++round) {
    auto& used = round == 2 ? others : fields;
    used.each([&](checked_field& f) { f.fill(round), f.expect_halo(round); });
    if (round == 1)
      exchange.start();
    else
      exchange.bound().start(used.table());
    poll(exchange, random);
    used.check(now.title + ", " + exchange.bound().transport() + ", round " + std::to_string(round));
  }
}

}  // namespace wherry_test
