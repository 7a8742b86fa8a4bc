// What goes wrong on one side is an error on the other, nobody is left waiting, and afterwards all goes on.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "wherry/deep/collect.hpp"
#include "wherry/deep/communicate.hpp"
#include "wherry/deep/in_flight.hpp"

#include "deep/mpi/family.hpp"
#include "deep/mpi/going_wrong.hpp"

using namespace wherry_test;
namespace deep = wherry::deep;

namespace {

// Fails while it is written, after so many good ones.
struct fragile {
  std::vector<double> data;
  bool fails = false;
  template <class Message> void describe(Message& m) {
    m(data);
    if constexpr (!Message::reads)
      if (fails) throw wherry::error(wherry::error_kind::state, "test", "this one does not want to");
  }
};

std::vector<fragile> fragile_list(std::size_t bytes) {
  std::vector<fragile> list(10);
  for (auto& f : list) f.data.assign(bytes / 10 / sizeof(double), 1.0);
  list.back().fails = true;
  return list;
}

// The ranks wait for one another by themselves, without streams.
void meet(MPI_Comm comm) { MPI_Barrier(comm); }

}  // namespace

WHERRY_TEST(arguments_are_looked_at_first, ranks(1, 2, 4)) {
  const wherry::communicator comm(test.comm);
  int x = 0;
  std::vector<int> all;
  for (const int rank : {-1, test.size, -17}) {
    const std::string words = "there is no rank " + std::to_string(rank);
    CHECK_THROWS_WITH(deep::send(comm, x, rank), words.c_str());
    CHECK_THROWS_WITH(deep::send(comm, x, rank, {.buffered = true}), words.c_str());
    CHECK_THROWS_WITH(deep::start_send(comm, x, rank), words.c_str());
    CHECK_THROWS_WITH(deep::bcast(comm, x, rank), words.c_str());
    CHECK_THROWS_WITH(deep::start_bcast(comm, x, rank), words.c_str());
    CHECK_THROWS_WITH(deep::gather(comm, x, all, rank), words.c_str());
    CHECK_THROWS_WITH(deep::scatter(comm, all, x, rank), words.c_str());
    if (rank == MPI_ANY_SOURCE) continue;
    CHECK_THROWS_WITH(deep::receive(comm, x, rank), words.c_str());
    CHECK_THROWS_WITH(deep::start_receive(comm, x, rank), words.c_str());
  }
  CHECK_THROWS_WITH(deep::send(comm, x, 0, {.tag = -1}), "'tag' is -1, expected 0 to");
  CHECK_THROWS_WITH(deep::receive(comm, x, 0, {.tag = -3}), "'tag' is -3, expected 0 to");
  CHECK_THROWS_WITH(deep::start_send(comm, x, 0, {.tag = -1}), "'tag' is -1, expected 0 to");
  const int beyond = wherry::detail::stream_tag::largest(comm) + 1;
  CHECK_THROWS_WITH(deep::send(comm, x, 0, {.tag = beyond}), ", expected 0 to");
  CHECK_THROWS_WITH(deep::send(MPI_COMM_NULL, x, 0), "MPI_COMM_NULL");
  int* taken = &x;
  CHECK_THROWS_WITH(deep::receive(comm, taken, 0), "not null");
  CHECK_THROWS_WITH(deep::start_receive(comm, taken, 0), "not null");
  meet(test.comm);
  check_that_all_goes_on(comm);
}

WHERRY_TEST(another_type_is_refused, ranks(2, 3, 4).not_simulated("megabytes a rank")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    const std::vector<int> few(10, 1), many(3000000, 1);
    for (const bool packed_first : {false, true})
      for (const bool received_first : {false, true})
        for (const auto* sent : {&few, &many}) {
          test.note(std::to_string(sent->size()));
          const deep::options from{.buffered = packed_first}, to{.buffered = received_first};
          if (test.rank == 0 && sent == &many && !packed_first) {
            CHECK_THROWS_WITH(deep::send(comm, *sent, 1, from), "rank 1 does not accept the message");
          } else if (test.rank == 0) {
            deep::send(comm, *sent, 1, from);
          } else if (test.rank == 1) {
            std::vector<double> arrived;
            CHECK_THROWS_WITH(deep::receive(comm, arrived, 0, to), "rank 0 sends another type than rank 1 reads");
            CHECK(arrived.empty());
          }
        }
    // In a broadcast the others have theirs all the same.
    for (const bool buffered : {false, true})
      for (const auto* sent : {&few, &many}) {
        const deep::options how{.buffered = buffered};
        if (test.rank == 1) {
          std::vector<double> arrived;
          CHECK_THROWS_WITH(deep::bcast(comm, arrived, 0, how), "another type than rank 1 reads");
          continue;
        }
        std::vector<int> word;
        if (test.rank == 0) word = *sent;
        deep::bcast(comm, word, 0, how);
        CHECK(word == *sent);
      }
    check_that_all_goes_on(comm);
  }
}

WHERRY_TEST(a_writer_that_gives_up_tells_its_readers, ranks(2, 3, 4).not_simulated("megabytes a rank")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    for (const std::size_t bytes : {80u, 100000u, 8000000u})
      for (const bool buffered : {false, true}) {
        const deep::options how{.buffered = buffered};
        test.note(std::to_string(bytes) + (buffered ? " buffered" : ""));
        const char* reason = "this one does not want to";
        std::vector<fragile> arrived;
        if (test.rank == 0) {
          const auto list = fragile_list(bytes);
          CHECK_THROWS_WITH(deep::send(comm, list, 1, how), reason);
          CHECK_THROWS_WITH(deep::start_send(comm, list, 1, how), reason);
          CHECK_THROWS_WITH(deep::bcast(comm, list, 0, how), reason);
          CHECK_THROWS_WITH(deep::start_bcast(comm, list, 0, how), reason);
          continue;
        }
        if (test.rank == 1) {
          CHECK_THROWS_WITH(deep::receive(comm, arrived, 0, how), reason);
          CHECK_THROWS_WITH(deep::start_receive(comm, arrived, 0, how).wait(), reason);
        }
        CHECK_THROWS_WITH(deep::bcast(comm, arrived, 0, how), reason);
        CHECK_THROWS_WITH(deep::start_bcast(comm, arrived, 0, how).wait(), reason);
        CHECK(arrived.empty());
      }
    check_that_all_goes_on(comm);
  }
}

namespace {

/// Points into itself, after so much else.
struct inward {
  std::vector<double> data;
  int plain = 0;
  int* at = nullptr;
  template <class Message> void describe(Message& m) {
    m(data);
    m.shared(at);
  }
};

}  // namespace

// The writer finds it, and what it says is what its readers get.
WHERRY_TEST(a_pointer_into_the_root_is_one_error_on_both_sides, ranks(2, 3, 4)) {
  const node_communicators comms(test.comm);
  const char* words =
      "points to int inside another object that travels by itself, 24 bytes from the beginning of (anonymous";
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    for (const std::size_t length : {10u, 100000u})
      for (const bool buffered : {false, true}) {
        const deep::options how{.buffered = buffered};
        inward mine, arrived;
        mine.data.assign(length, 1.0);
        mine.at = &mine.plain;
        std::vector<inward> all;
        if (test.rank == 0) {
          CHECK_THROWS_WITH(deep::send(comm, mine, 1, how), words);
          CHECK_THROWS_WITH(deep::start_send(comm, mine, 1, how), words);
          CHECK_THROWS_WITH(deep::bcast(comm, mine, 0, how), words);
          CHECK_THROWS_WITH(deep::start_bcast(comm, mine, 0, how), words);
          continue;
        }
        if (test.rank == 1) {
          CHECK_THROWS_WITH(deep::receive(comm, arrived, 0, how), words);
          CHECK_THROWS_WITH(deep::start_receive(comm, arrived, 0, how).wait(), words);
        }
        CHECK_THROWS_WITH(deep::bcast(comm, arrived, 0, how), words);
        CHECK_THROWS_WITH(deep::start_bcast(comm, arrived, 0, how).wait(), words);
        CHECK(arrived.at == nullptr);
      }
    check_that_all_goes_on(comm);
  }
}

namespace {

/// Two pointers to what begins at one place.
struct twofold {
  inward* whole = nullptr;
  std::vector<double>* first = nullptr;
  std::vector<double> more;
  template <class Message> void describe(Message& m) {
    m(more);
    m.shared(whole);
    m.shared(first);
  }
};

}  // namespace

WHERRY_TEST(a_pointer_to_another_type_is_one_error_on_both_sides, ranks(2, 3)) {
  const wherry::communicator comm(test.comm);
  for (const char* check : {"0", "1"})
    for (const std::size_t length : {0u, 100000u}) {
      const setting checks("check", check, "0");
      inward object;
      twofold x{&object, &object.data, std::vector<double>(length)}, arrived;
      const std::string words = "points to std::vector<double, std::allocator<double> > where";
      if (test.rank == 0) {
        CHECK_THROWS_WITH(deep::send(comm, x, 1), words.c_str());
        CHECK_THROWS_WITH(deep::bcast(comm, x, 0), words.c_str());
        continue;
      }
      if (test.rank == 1) CHECK_THROWS_WITH(deep::receive(comm, arrived, 0), words.c_str());
      CHECK_THROWS_WITH(deep::bcast(comm, arrived, 0), words.c_str());
      CHECK(arrived.whole == nullptr && arrived.first == nullptr);
    }
  check_that_all_goes_on(comm);
}

WHERRY_TEST(a_buffer_that_is_too_small_is_told, ranks(2, 3)) {
  const wherry::communicator comm(test.comm);
  std::vector<int> list;
  for (const int size : {100, 100000, 1000000}) {
    const deep::options how{.buffered = true, .buffer_bytes = static_cast<std::size_t>(size)};
    const std::string words = "the buffer of " + std::to_string(size) + " bytes is too small";
    if (test.rank == 0) {
      list.assign(static_cast<std::size_t>(size), 1);
      const std::string exact = words + ": the structure needs " + std::to_string(deep::packed_bytes(list));
      CHECK_THROWS_WITH(deep::send(comm, list, 1, how), exact.c_str());
    } else if (test.rank == 1) {
      CHECK_THROWS_WITH(deep::receive(comm, list, 0), words.c_str());
    }
    CHECK_THROWS_WITH(deep::bcast(comm, list, 0, how), words.c_str());
  }
  // Large enough is large enough.
  const deep::options enough{.buffered = true, .buffer_bytes = static_cast<std::size_t>(deep::packed_bytes(list))};
  if (test.rank == 0) deep::send(comm, list, 1, enough);
  if (test.rank == 1) CHECK_EQUAL(deep::receive<std::vector<int>>(comm, 0).size(), 1000000u);
  check_that_all_goes_on(comm);
}

// The reader finds out in the middle; whoever else reads goes on.
WHERRY_TEST(a_reader_that_gives_up_holds_nobody_up, ranks(2, 3, 4, 8).not_simulated("megabytes a rank")) {
  const node_communicators comms(test.comm);
  for (const MPI_Comm c : comms.list()) {
    const wherry::communicator comm(c);
    for (const int count : {10, 2000000}) {
      std::vector<int> sent(static_cast<std::size_t>(count), 5);
      int* here = test.rank == 0 ? sent.data() : nullptr;
      if (test.rank == 1) {
        CHECK_THROWS_WITH(deep::bcast(comm, deep::array(here, 11), 0), "where 11 are expected");
        CHECK(here == nullptr);
        CHECK_THROWS_WITH(deep::receive(comm, deep::array(here, 11), 0), "where 11 are expected");
        continue;
      }
      int length = test.rank == 0 ? count : 0;
      deep::bcast(comm, deep::array(here, length), 0);
      CHECK_EQUAL(length, count);
      if (test.rank != 0) deep::destroy(deep::array(here, length));
      if (test.rank != 0) continue;
      try {  // the sender may have been ready before
        deep::send(comm, deep::array(here, length), 1);
      } catch (const wherry::error& problem) {
        CHECK(std::string(problem.what()).find("where 11 are expected") != std::string::npos);
      }
    }
    // One that cannot take it at all.
    int value = 3;
    int* here = test.rank <= 1 ? &value : nullptr;
    if (test.rank == 1) {
      CHECK_THROWS_WITH(deep::bcast(comm, here, 0), "not null");
    } else {
      deep::bcast(comm, here, 0);
      CHECK_EQUAL(*here, 3);
      if (test.rank != 0) deep::destroy(here);
    }
    check_that_all_goes_on(comm);
  }
}

WHERRY_TEST(checked_broadcasts_compare_their_roots, ranks(2, 3)) {
  const wherry::communicator comm(test.comm);
  const setting check("check", "1", "0");
  std::vector<int> list(10);
  CHECK_THROWS_WITH(deep::bcast(comm, list, test.rank == 0 ? 0 : 1), "different roots");
  check_that_all_goes_on(comm);
}
