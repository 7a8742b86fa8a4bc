// Deep copies obey WHERRY_TRANSPORT, and are seen by WHERRY_STATS, WHERRY_TRACE, and by who asks what has moved.
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "core/trace.hpp"
#include "harness/harness.hpp"
#include "harness/patient.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;
using wherry::error_kind;

namespace {

std::vector<int> numbers(int count, int from) {
  std::vector<int> list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), from);
  return list;
}

/// From rank 0 to rank 1, streamed, packed first, and in flight; then from rank 1 to all in all these ways.
void copy_in_all_ways(const context& test, const wherry::communicator& comm, int count) {
  using namespace wherry::deep;
  for (const bool buffered : {false, true}) {
    if (test.rank == 0) send(comm, numbers(count, 7), 1, {.buffered = buffered});
    if (test.rank == 1) CHECK(receive<std::vector<int>>(comm, 0, {.buffered = !buffered}) == numbers(count, 7));
    auto all = test.rank == 1 ? numbers(count, 9) : std::vector<int>();
    bcast(comm, all, 1, {.buffered = buffered});
    CHECK(all == numbers(count, 9));
  }
  std::vector<int> arrives;
  if (test.rank == 0) start_send(comm, numbers(count, 3), 1).wait();
  if (test.rank == 1) start_receive(comm, arrives, 0).wait();
  if (test.rank == 1) CHECK(arrives == numbers(count, 3));
  auto all = test.rank == 1 ? numbers(count, 5) : std::vector<int>();
  start_bcast(comm, all, 1).wait();
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
      const nodes_of own(test.comm, 0);
      const wherry::communicator comm(own);
      if (static_cast<int>(comm.node_ranks().size()) != test.size) test.skip("not all ranks are on one node");
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
    const nodes_of own(test.comm, 2);
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
  const nodes_of apart(test.comm, 1);
  const wherry::communicator comm(apart);
  std::vector<int> list(1, test.rank);
  const auto refused = [&](const char* name, const std::string& words) {
    const setting transport("transport", name, "auto");
    const int other = test.rank == 0 ? 1 : 0;
    all_throw(test, "send", error_kind::argument, words, [&] { wherry::deep::send(comm, list, other); });
    all_throw(test, "broadcast", error_kind::argument, words, [&] { wherry::deep::bcast(comm, list, 0); });
    all_throw(test, "start_bcast", error_kind::argument, words,
              [&] { wherry::deep::start_bcast(comm, list, 0).wait(); });
  };
  refused("shared", "is on another node, which transport 'shared' does not reach");
  wherry::deep::bcast(comm, list, 0);  // nothing has happened
  CHECK_EQUAL(list[0], 0);
}

WHERRY_TEST(ranks_that_go_different_ways_are_told, ranks(2, 3)) {
  const nodes_of own(test.comm, 0);
  const wherry::communicator comm(own);
  const setting transport("transport", test.rank == 0 ? "two_sided" : "auto", "auto");
  std::vector<int> list(1, test.rank);
  all_throw(test, "broadcast", error_kind::state, "disagree on the setting WHERRY_TRANSPORT",
            [&] { wherry::deep::bcast(comm, list, 0); });
}

WHERRY_TEST(streams_are_counted, ranks(2, 3)) {
  const nodes_of own(test.comm, 0);
  const wherry::communicator comm(own);
  copy_in_all_ways(test, comm, 20000);
  const auto mine = wherry::stream_statistics(comm);
  // Rank 0 sends three and reads three, rank 1 reads three and sends three, the others read three.
  CHECK_EQUAL(mine.exchanges, test.rank < 2 ? 6u : 3u);
  const auto least = 3 * static_cast<std::int64_t>(20000 * sizeof(int));
  CHECK_EQUAL(mine.bytes_sent >= least && mine.bytes_sent < least + 300, test.rank < 2);
  CHECK(mine.bytes_received >= least && mine.bytes_received < least + 300);
  const auto told = wherry::explain_streams(comm);
  CHECK(mentions(told, test.rank == 0 ? "deep::send: 2 times" : "deep::bcast: 2 times"));
}

WHERRY_TEST(streams_are_reported_with_their_communicator,
            ranks(2, 3).not_simulated("simulated ranks are one process")) {
  const setting statistics("stats", "all", "0");
  const auto said = said_in([&] {
    const nodes_of own(test.comm, 0);
    copy_in_all_ways(test, wherry::communicator(own), 20000);
  });
  const auto line = [&](const std::string& call) {
    return call + ", rank " + std::to_string(test.rank) + " of " + std::to_string(test.size) + ", by ";
  };
  CHECK(mentions(said, line("deep::bcast")));
  CHECK_EQUAL(mentions(said, line("deep::send")), test.rank == 0);
  CHECK_EQUAL(mentions(said, line("deep::receive")), test.rank == 1);
  CHECK(mentions(said, ": 2 exchanges, "));
}

WHERRY_TEST(streams_are_traced, ranks(2, 3).not_simulated("simulated ranks are one process")) {
  const auto path = std::filesystem::temp_directory_path() / ("wherry_trace_" + std::to_string(getpid()) + ".json");
  {
    const setting trace("trace", path.string(), "");
    const nodes_of own(test.comm, 0);
    copy_in_all_ways(test, wherry::communicator(own), 300000);
    wherry::trace_flush();
  }
  std::ostringstream all;
  all << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  const std::string way = test.rank == 1 ? "send" : "receive";
  CHECK(mentions(all.str(), "{\"name\":\"" + way + "\",\"cat\":\"deep::bcast\""));
  CHECK(mentions(all.str(), "{\"name\":\"" + way + "\",\"cat\":\"deep::start_bcast\""));
  if (test.rank == 0) CHECK(mentions(all.str(), "{\"name\":\"send\",\"cat\":\"deep::send\""));
}

namespace {

using wherry::deep::in_flight;

/// Waits, and compares what a flight says of itself with what it is to have moved, and how.
struct flight_answers {
  const context& test;
  std::string call;
  bool leaves;
  int peer, count;
  std::string by;

  void check(in_flight flight) const {
    if (leaves) CHECK_EQUAL(flight.transport(), by);  // known from the beginning
    CHECK(mentions(flight.explain(), call));
    flight.wait();
    CHECK_EQUAL(flight.transport(), by);
    const auto figures = flight.statistics();
    CHECK_EQUAL(figures.exchanges, 1u);
    const auto least = static_cast<std::int64_t>(sizeof(int)) * count;
    const auto moved = leaves ? figures.bytes_sent : figures.bytes_received;
    CHECK(moved >= least && moved < least + 100);
    CHECK_EQUAL(leaves ? figures.bytes_received : figures.bytes_sent, 0);
    const auto told = flight.explain();
    CHECK(mentions(told, (leaves ? "to rank " : "from rank ") + std::to_string(peer)));
    CHECK(mentions(told, std::to_string(moved) + " B by " + by));
    CHECK(mentions(told, "complete"));
    const auto moved_on = std::move(flight);
    CHECK_EQUAL(moved_on.statistics().exchanges, 1u);
    CHECK_THROWS_WITH(flight.transport(), "nothing is in flight: ");  // NOLINT(bugprone-use-after-move)
    CHECK_THROWS_WITH(flight.explain(), "nothing is in flight: ");
    CHECK_THROWS_WITH(flight.statistics(), "nothing is in flight: ");
  }
};

}  // namespace

WHERRY_TEST(what_is_in_flight_answers, ranks(2, 3, 4)) {
  namespace deep = wherry::deep;
  for (const std::string name : {"auto", "two_sided", "persistent", "one_sided", "shared"})
    for (const int count : {10, 300000}) {
      test.note(name + ", " + std::to_string(count));
      const nodes_of own(test.comm, 0);
      const wherry::communicator comm(own);
      if (static_cast<int>(comm.node_ranks().size()) != test.size) test.skip("not all ranks are on one node");
      const setting transport("transport", name, "auto");
      const std::string rings = name == "auto" || name == "shared" ? "shared" : "two_sided";
      const flight_answers sent{test, "deep::start_send", true, 1, count, "two_sided"};
      const flight_answers received{test, "deep::start_receive", false, 0, count, "two_sided"};
      auto streamed = received, published = received, packed = received;
      if (count > 10) streamed.by = rings;
      published.call = packed.call = "deep::start_bcast";
      published.by = rings;
      std::vector<int> list, all = test.rank == 0 ? numbers(count, 4) : list;
      if (test.rank == 0) sent.check(deep::start_send(comm, all, 1));
      if (test.rank == 1) received.check(deep::start_receive(comm, list, 0));
      if (test.rank == 0) deep::send(comm, all, 1);
      if (test.rank == 1) streamed.check(deep::start_receive(comm, list, 0));
      if (test.rank == 0) deep::bcast(comm, all, 0);
      if (test.rank != 0) published.check(deep::start_bcast(comm, all, 0));
      packed.leaves = test.rank == 0;
      if (packed.leaves) packed.peer = test.size == 2 ? 1 : 2;  // and that one to the others
      packed.check(deep::start_bcast(comm, all, 0));
      CHECK_EQUAL(wherry::stream_statistics(comm).exchanges, test.rank < 2 ? 4u : 2u);
      CHECK_EQUAL(mentions(wherry::stream_transport(comm), "shared"), rings == "shared");
    }
}

WHERRY_TEST(what_is_in_flight_answers_before_its_end, ranks(2).not_simulated("a rank is late")) {
  const wherry::communicator comm(test.comm);
  const setting statistics("stats", "all", "0"), limit("timeout", "0.1", "0");
  auto list = numbers(test.rank == 0 ? 500 : 0, 1);
  if (test.rank == 1) {
    auto flight = wherry::deep::start_receive(comm, list, 0);
    CHECK_THROWS_WITH(flight.wait(), "not arrived: rank 0");
    CHECK_EQUAL(flight.transport(), "");
    CHECK_EQUAL(flight.statistics().exchanges, 0u);
    CHECK_EQUAL(flight.statistics().bytes_received, 0);
    CHECK(flight.statistics().seconds_waiting > 0.05);
    CHECK(mentions(flight.explain(), "from rank 0: nothing has come yet"));
    patient_barrier(test.comm);
    flight.wait();
    CHECK_EQUAL(flight.transport(), "two_sided");
    CHECK_EQUAL(flight.statistics().exchanges, 1u);
  } else {
    patient_barrier(test.comm);
    wherry::deep::start_send(comm, list, 1).wait();
  }
  CHECK_THROWS_WITH(in_flight().statistics(), "never started");
}
