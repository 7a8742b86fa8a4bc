// Copies whose owner is gone while they are in flight: by an exception, after a timeout, destroyed, moved from. Nothing
// is written to freed memory, nobody else is held up, and the next copy between the same ranks is the right one.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "deep/mpi/going_wrong.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;
using wherry::communicator;

namespace {

constexpr int tag = 5;

// One message, with an MPI of its own between nodes a long one, and many windows.
const std::vector<std::size_t>& lengths() {
  static const std::vector<std::size_t> list{10, 5000, 700'000};
  return list;
}

struct somebody_elses {};

// What `start` gives is destroyed by an exception of somebody else's.
void leave_by_exception(const std::function<deep::in_flight()>& start) {
  try {
    const auto flight = start();
    throw somebody_elses();
  } catch (const somebody_elses&) {
  }
}

void leave_after_timeout(const std::function<deep::in_flight()>& start) {
  auto flight = start();
  wait_in_vain([&] { flight.wait(); });
}

// Whoever still writes to memory that was freed now writes to this.
void use_the_memory_again() {
  for (const std::size_t bytes : {300u, 33'000u, 131'136u})
    for (int i = 0; i < 8; ++i) std::vector<char>(bytes, 'x');
}

using way_to_leave = void (*)(const std::function<deep::in_flight()>&);

void for_each_way(const context& test, const std::function<void(const communicator&, std::size_t, way_to_leave)>& act) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const std::size_t length : lengths())
      for (const way_to_leave leave : {leave_by_exception, leave_after_timeout}) {
        test.note(std::to_string(length) + (leave == leave_by_exception ? " by exception" : " after a timeout"));
        act(communicator(c), length, leave);
        patient_barrier(test.comm);
      }
}

void check_broadcasts(const communicator& comm) {
  for (int root = 0; root < comm.size(); ++root)
    for (const bool started : {false, true}) {
      numbers word;
      if (comm.rank() == root) word = content(20'000, root);
      if (started)
        deep::start_bcast(comm, word, root).wait();
      else
        deep::bcast(comm, word, root);
      CHECK(word == content(20'000, root));
    }
}

}  // namespace

WHERRY_TEST(a_started_send_left_alone_arrives, ranks(2, 3).not_simulated("two ranks act")) {
  for_each_way(test, [&](const communicator& comm, std::size_t length, way_to_leave leave) {
    if (test.rank == 0) {
      for (int which = 1; which <= 3; ++which)
        leave([&] { return deep::start_send(comm, content(length, which), 1, {.tag = tag}); });
      use_the_memory_again();
    }
    patient_barrier(test.comm);
    if (test.rank == 0) deep::send(comm, content(length, 4), 1, {.tag = tag});
    if (test.rank == 1)
      for (int which = 1; which <= 4; ++which)
        CHECK(deep::receive<numbers>(comm, 0, {.tag = tag, .buffered = which == 2}) == content(length, which));
  });
}

WHERRY_TEST(a_started_receive_left_alone_takes_its_stream, ranks(2, 3).not_simulated("two ranks act")) {
  for_each_way(test, [&](const communicator& comm, std::size_t length, way_to_leave leave) {
    if (test.rank == 1) {
      for (int which = 1; which <= 3; ++which) {
        const auto root = std::make_unique<numbers>();
        leave([&] { return deep::start_receive(comm, *root, 0, {.tag = tag}); });
      }
      use_the_memory_again();
    }
    patient_barrier(test.comm);
    if (test.rank == 0)
      for (int which = 1; which <= 4; ++which)
        deep::send(comm, content(length, which), 1, {.tag = tag, .buffered = which == 2});
    if (test.rank == 1) CHECK(deep::receive<numbers>(comm, 0, {.tag = tag}) == content(length, 4));
  });
}

WHERRY_TEST(copies_to_oneself_left_alone, ranks(1, 2).not_simulated("as with few ranks")) {
  for_each_way(test, [&](const communicator& comm, std::size_t length, way_to_leave leave) {
    const int me = test.rank;
    leave([&] { return deep::start_send(comm, content(length, 1), me, {.tag = tag}); });
    use_the_memory_again();
    CHECK(deep::receive<numbers>(comm, me, {.tag = tag}) == content(length, 1));
    {
      const auto root = std::make_unique<numbers>();
      leave([&] { return deep::start_receive(comm, *root, me, {.tag = tag}); });
    }
    use_the_memory_again();
    deep::send(comm, content(length, 2), me, {.tag = tag});
    deep::send(comm, content(length, 3), me, {.tag = tag});
    CHECK(deep::receive<numbers>(comm, me, {.tag = tag}) == content(length, 3));
  });
}

WHERRY_TEST(started_broadcasts_left_alone_arrive, ranks(2, 3, 4, 8).not_simulated("a rank is late")) {
  for_each_way(test, [&](const communicator& comm, std::size_t length, way_to_leave leave) {
    const int late = test.size - 1;
    for (const int leaves : {0, 1, late}) {  // the root, one that passes on, one that does not
      numbers word;
      if (test.rank == 0) word = content(length, leaves);
      if (test.rank == leaves) {
        const auto copy = std::make_unique<numbers>(word);
        leave([&] { return deep::start_bcast(comm, *copy, 0); });
        use_the_memory_again();
      }
      patient_barrier(test.comm);
      if (test.rank != leaves) {
        deep::start_bcast(comm, word, 0).wait();
        CHECK(word == content(length, leaves));
      }
      check_broadcasts(comm);
    }
  });
}

WHERRY_TEST(a_wait_goes_on_after_a_timeout, ranks(2, 3).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const std::size_t length : lengths()) {
      const communicator comm(c);
      numbers arrived;
      deep::in_flight flight;
      if (test.rank == 0) flight = deep::start_send(comm, content(length, 1), 1, {.tag = tag});
      if (test.rank == 0) wait_in_vain([&] { flight.wait(); });
      patient_barrier(test.comm);
      if (test.rank == 1) CHECK(deep::receive<numbers>(comm, 0, {.tag = tag}) == content(length, 1));
      if (test.rank == 1) flight = deep::start_receive(comm, arrived, 0, {.tag = tag});
      if (test.rank == 1) CHECK(wait_in_vain([&] { flight.wait(); }));
      if (test.rank == 0) flight.wait();
      patient_barrier(test.comm);
      if (test.rank == 0) deep::send(comm, content(length, 2), 1, {.tag = tag});
      if (test.rank == 1) flight.wait();
      if (test.rank == 1) CHECK(arrived == content(length, 2));
    }
}

WHERRY_TEST(what_was_moved_from_says_so, ranks(1, 2)) {
  const communicator comm(test.comm);
  numbers arrived;
  auto arriving = deep::start_receive(comm, arrived, test.rank);
  auto leaving = deep::start_send(comm, content(10, 1), test.rank);
  deep::in_flight there(std::move(arriving)), nothing;
  CHECK_THROWS_WITH(arriving.wait(), "deep::start_receive: nothing is in flight: ");
  CHECK_THROWS_WITH(arriving.test(), "it has been moved from [state]");
  CHECK_THROWS_WITH(nothing.wait(), "this object was never started");
  nothing = std::move(leaving);
  CHECK_THROWS_WITH(leaving.wait(), "deep::start_send: nothing is in flight: ");
  there.wait();
  there.wait();  // again: it has arrived
  nothing.wait();
  CHECK(arrived == content(10, 1));
}

// Of a blocking send only the last windows can be taken back: whoever comes late is told.
WHERRY_TEST(a_send_that_waits_in_vain_tells_who_comes_late, ranks(2, 3).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const bool buffered : {false, true})
      for (const std::size_t length : lengths()) {
        const communicator comm(c);
        const deep::options how{.tag = tag, .buffered = buffered};
        bool in_vain = false;
        if (test.rank == 0) in_vain = wait_in_vain([&] { deep::send(comm, content(length, 1), 1, how); });
        if (test.rank == 0 && length > 500'000) CHECK(in_vain);
        use_the_memory_again();
        patient_barrier(test.comm);
        if (test.rank == 0) {
          deep::send(comm, content(length, 2), 1, how);
        } else if (test.rank == 1) {
          if (length > 500'000 && !buffered)
            CHECK_THROWS_WITH(deep::receive<numbers>(comm, 0, how), "rank 0 has given up: ");
          else
            CHECK(deep::receive<numbers>(comm, 0, how) == content(length, 1));
          CHECK(deep::receive<numbers>(comm, 0, how) == content(length, 2));
        }
        patient_barrier(test.comm);
      }
}

WHERRY_TEST(a_receive_that_waits_in_vain_has_taken_nothing, ranks(2, 3).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const bool buffered : {false, true})
      for (const std::size_t length : lengths()) {
        const communicator comm(c);
        const deep::options how{.tag = tag, .buffered = buffered};
        numbers root;
        if (test.rank == 1) CHECK(wait_in_vain([&] { deep::receive(comm, root, 0, how); }));
        use_the_memory_again();
        patient_barrier(test.comm);
        if (test.rank == 0) deep::send(comm, content(length, 1), 1, how);
        if (test.rank == 1) CHECK(deep::receive<numbers>(comm, 0, how) == content(length, 1));
      }
}

WHERRY_TEST(a_receive_that_stops_in_the_middle_lets_the_sender_go, ranks(2, 3).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const bool buffered : {false, true}) {
      const communicator comm(c);
      const deep::options how{.tag = tag, .buffered = buffered};
      if (test.rank == 0) {
        halt = [&] { hear(test, 1); };
        const auto list = halting_list();
        tell(test, 1);
        try {
          deep::send(comm, list, 1, {.tag = tag});
        } catch (const wherry::error& problem) {
          CHECK(std::string(problem.what()).find("rank 1 does not accept the message") != std::string::npos);
        }
        deep::send(comm, content(700'000, 2), 1, how);
      } else if (test.rank == 1) {
        std::vector<halting> list;
        hear(test, 0);  // who stops before it begins gives up nothing that is under way
        CHECK(wait_in_vain([&] { deep::receive(comm, list, 0, how); }));
        use_the_memory_again();
        tell(test, 0);
        CHECK(deep::receive<numbers>(comm, 0, how) == content(700'000, 2));
      }
      patient_barrier(test.comm);
    }
}

WHERRY_TEST(a_broadcast_that_one_reader_leaves_reaches_the_others, ranks(2, 3, 4, 8).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const int leaves : {1, test.size - 1}) {
      const communicator comm(c);
      std::vector<halting> list;
      if (test.rank == 0) {
        list = halting_list();
        halt = [&] { hear(test, leaves); };
        deep::bcast(comm, list, 0);
      } else if (test.rank == leaves) {
        CHECK(wait_in_vain([&] { deep::bcast(comm, list, 0); }));
        CHECK(list.empty());
        use_the_memory_again();
        tell(test, 0);
      } else {
        deep::bcast(comm, list, 0);
        CHECK(same(list));
      }
      check_broadcasts(comm);
    }
}

WHERRY_TEST(a_broadcast_whose_root_leaves_is_an_error_on_the_others,
            ranks(2, 3, 4, 8).not_simulated("a rank is late")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list())
    for (const int late : {1, test.size - 1}) {
      const communicator comm(c);
      check_broadcasts(comm);
      numbers word;
      if (test.rank == 0) word = content(3'000'000, 1);
      if (test.rank == 0) CHECK(wait_in_vain([&] { deep::bcast(comm, word, 0); }));
      if (test.rank == 0) tell(test, late);
      if (test.rank == late) hear(test, 0);
      if (test.rank != 0) CHECK_THROWS_WITH(deep::bcast(comm, word, 0), "has given up: ");
      check_broadcasts(comm);
    }
}
