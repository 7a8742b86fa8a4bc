// Deep copies obey WHERRY_TRANSPORT, and are seen by WHERRY_STATS, WHERRY_TRACE, and by who asks what has moved.
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "core/trace.hpp"
#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;

namespace {

/// The users' communicator again, with so many ranks a node; 0: as they are.
class duplicate {
 public:
  explicit duplicate(MPI_Comm comm, int ranks_a_node = 0) {
    const setting node_size("node_size", std::to_string(ranks_a_node), "0");
    MPI_Comm_dup(comm, &mine_);
    const wherry::communicator kept(mine_);
  }
  duplicate(const duplicate&) = delete;
  duplicate& operator=(const duplicate&) = delete;
  ~duplicate() { MPI_Comm_free(&mine_); }
  operator MPI_Comm() const { return mine_; }

 private:
  MPI_Comm mine_ = MPI_COMM_NULL;
};

std::vector<int> numbers(int count, int from) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), from);
  return list;
}

/// From rank 0 to rank 1, streamed, packed first, and in flight; then from rank 1 to all in all these ways.
void copy_in_all_ways(const context& test, const wherry::communicator& comm, int count) {
  using namespace wherry::deep;
  for (const bool buffered : {false, true}) {
    if (test.rank == 0) send(comm, 1, numbers(count, 7), {.buffered = buffered});
    if (test.rank == 1) CHECK(receive<std::vector<int>>(comm, 0, {.buffered = !buffered}) == numbers(count, 7));
    auto all = test.rank == 1 ? numbers(count, 9) : std::vector<int>();
    broadcast(comm, 1, all, {.buffered = buffered});
    CHECK(all == numbers(count, 9));
  }
  std::vector<int> arrives;
  if (test.rank == 0) start_send(comm, 1, numbers(count, 3)).wait();
  if (test.rank == 1) start_receive(comm, 0, arrives).wait();
  if (test.rank == 1) CHECK(arrives == numbers(count, 3));
  auto all = test.rank == 1 ? numbers(count, 5) : std::vector<int>();
  start_broadcast(comm, 1, all).wait();
  CHECK(all == numbers(count, 5));
}

bool mentions(const std::string& text, const std::string& word) { return text.find(word) != std::string::npos; }

/// What is written to standard error in `act`.
template <class Act> std::string said_in(Act act) {
  const auto path = std::filesystem::temp_directory_path() / ("wherry_said_" + std::to_string(getpid()));
  const int before = dup(STDERR_FILENO), file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  dup2(file, STDERR_FILENO);
  act();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(file);
  close(before);
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return all.str();
}

}  // namespace

WHERRY_TEST(streams_go_as_the_transport_says, ranks(2, 3, 4)) {
  for (const char* name : {"auto", "two_sided", "persistent", "one_sided", "shared"})
    for (const int count : {10, 300000}) {
      test.note(std::string(name) + ", " + std::to_string(count));
      const duplicate own(test.comm);
      const wherry::communicator comm(own);
      if (static_cast<int>(comm.node_ranks().size()) != test.size) return;
      const setting transport("transport", name, "auto");
      copy_in_all_ways(test, comm, count);
      const bool rings = std::string(name) == "auto" || std::string(name) == "shared";
      const auto by = wherry::stream_transport(comm);
      CHECK_EQUAL(mentions(by, "shared"), rings);
      CHECK(mentions(wherry::explain_streams(comm), rings ? "through rings" : "as a message a window (two_sided)"));
    }
}

WHERRY_TEST(streams_on_several_nodes, ranks(2, 3, 4)) {
  for (const char* name : {"auto", "two_sided"}) {
    const duplicate own(test.comm, 2);
    const wherry::communicator comm(own);
    const setting transport("transport", name, "auto");
    copy_in_all_ways(test, comm, 300000);
    const auto by = wherry::stream_transport(comm);
    if (std::string(name) == "two_sided") CHECK_EQUAL(by, "two_sided");
    // The root publishes on its node, and sends to the other one.
    if (std::string(name) == "auto" && test.rank == 1) CHECK(mentions(by, "shared") && mentions(by, "two_sided"));
  }
}

WHERRY_TEST(a_transport_that_cannot_is_an_error_of_streams, ranks(2, 3)) {
  const duplicate apart(test.comm, 1);
  const wherry::communicator comm(apart);
  std::vector<int> list(1, test.rank);
  const auto refused = [&](const char* name, const std::string& words) {
    const setting transport("transport", name, "auto");
    const int other = test.rank == 0 ? 1 : 0;
    all_throw(test, "send", error_kind::argument, words, [&] { wherry::deep::send(comm, other, list); });
    all_throw(test, "broadcast", error_kind::argument, words, [&] { wherry::deep::broadcast(comm, 0, list); });
    all_throw(test, "start_broadcast", error_kind::argument, words,
              [&] { wherry::deep::start_broadcast(comm, 0, list).wait(); });
  };
  refused("shared", "is on another node, which transport 'shared' does not reach");
  wherry::deep::broadcast(comm, 0, list);  // nothing has happened
  CHECK_EQUAL(list[0], 0);
}

WHERRY_TEST(ranks_that_go_different_ways_are_told, ranks(2, 3)) {
  const duplicate own(test.comm);
  const wherry::communicator comm(own);
  const setting transport("transport", test.rank == 0 ? "two_sided" : "auto", "auto");
  std::vector<int> list(1, test.rank);
  all_throw(test, "broadcast", error_kind::state, "the transport (WHERRY_TRANSPORT)",
            [&] { wherry::deep::broadcast(comm, 0, list); });
}

WHERRY_TEST(streams_are_counted, ranks(2, 3)) {
  const duplicate own(test.comm);
  const wherry::communicator comm(own);
  copy_in_all_ways(test, comm, 20000);
  const auto mine = wherry::stream_statistics(comm);
  // Rank 0 sends three and reads three, rank 1 reads three and sends three, the others read three.
  CHECK_EQUAL(mine.exchanges, test.rank < 2 ? 6u : 3u);
  const auto least = 3 * static_cast<std::int64_t>(20000 * sizeof(int));
  CHECK_EQUAL(mine.bytes_sent >= least && mine.bytes_sent < least + 300, test.rank < 2);
  CHECK(mine.bytes_received >= least && mine.bytes_received < least + 300);
  const auto told = wherry::explain_streams(comm);
  CHECK(mentions(told, test.rank == 0 ? "deep::send: 2 streams" : "deep::broadcast: 2 streams"));
}

WHERRY_TEST(streams_are_reported_with_their_communicator,
            ranks(2, 3).not_simulated("simulated ranks are one process")) {
  const setting statistics("stats", "all", "0");
  const auto said = said_in([&] {
    const duplicate own(test.comm);
    copy_in_all_ways(test, wherry::communicator(own), 20000);
  });
  const auto line = [&](const std::string& call) {
    return call + ", rank " + std::to_string(test.rank) + " of " + std::to_string(test.size) + ", by ";
  };
  CHECK(mentions(said, line("deep::broadcast")));
  CHECK_EQUAL(mentions(said, line("deep::send")), test.rank == 0);
  CHECK_EQUAL(mentions(said, line("deep::receive")), test.rank == 1);
  CHECK(mentions(said, ": 2 exchanges, "));
}

WHERRY_TEST(streams_are_traced, ranks(2, 3).not_simulated("simulated ranks are one process")) {
  const auto path = std::filesystem::temp_directory_path() / ("wherry_trace_" + std::to_string(getpid()) + ".json");
  {
    const setting trace("trace", path.string(), "");
    const duplicate own(test.comm);
    copy_in_all_ways(test, wherry::communicator(own), 300000);
    wherry::trace_flush();
  }
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  const std::string way = test.rank == 1 ? "send" : "receive";
  CHECK(mentions(all.str(), "{\"name\":\"" + way + "\",\"cat\":\"deep::broadcast\""));
  CHECK(mentions(all.str(), "{\"name\":\"" + way + "\",\"cat\":\"deep::start_broadcast\""));
  if (test.rank == 0) CHECK(mentions(all.str(), "{\"name\":\"send\",\"cat\":\"deep::send\""));
}
