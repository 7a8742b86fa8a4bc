// Segments by the C interface: writes, reads, notifications and atomic operations, in memory of all kinds.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;
using bytes = std::vector<unsigned char>;

struct ranks_of_test {
  wherry_communicator comm = nullptr;
  explicit ranks_of_test(const context& test) { succeeds(wherry_communicator_create(test.comm, &comm)); }
  ~ranks_of_test() { wherry_communicator_free(&comm); }
};

/// The kinds of memory that a segment can have.
enum class memory_kind { ours, users, allocated, window };

struct any_segment {
  wherry_segment segment = nullptr;
  void* memory = nullptr;
  bytes users;
  void* allocated = nullptr;
  MPI_Win window = MPI_WIN_NULL;

  any_segment(const context& test, wherry_communicator comm, memory_kind what, std::int64_t size) {
    const auto* const options = static_cast<const wherry_segment_options*>(nullptr);
    if (what == memory_kind::ours) {
      succeeds(wherry_segment_create(comm, size, options, &segment));
    } else if (what == memory_kind::users) {
      users.assign(static_cast<std::size_t>(size), 0);
      succeeds(wherry_segment_create_in(comm, users.data(), size, options, &segment));
    } else if (what == memory_kind::allocated) {
      succeeds(wherry_allocate(comm, static_cast<std::size_t>(size), &allocated));
      succeeds(wherry_segment_create_in(comm, allocated, size, options, &segment));
    } else {
      void* base = nullptr;
      MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, test.comm, &base, &window);
      std::memset(base, 0, static_cast<std::size_t>(size));
      MPI_Barrier(test.comm);
      succeeds(wherry_segment_create_in_window(comm, window, options, &segment));
    }
    std::int64_t found = 0;
    succeeds(wherry_segment_memory(segment, &memory, &found));
    CHECK_EQUAL(found, size);
  }
  any_segment(const any_segment&) = delete;
  any_segment& operator=(const any_segment&) = delete;
  /// Collective.
  ~any_segment() {
    wherry_segment_free(&segment);
    if (window != MPI_WIN_NULL) MPI_Win_free(&window);
    wherry_free(&allocated);
  }

  const unsigned char* begin() const { return static_cast<const unsigned char*>(memory); }
  bytes content(std::int64_t at, std::int64_t size) const { return {begin() + at, begin() + at + size}; }
};

bytes random_bytes(std::mt19937_64& random, std::int64_t size) {
  bytes result(static_cast<std::size_t>(size));
  for (auto& one : result) one = static_cast<unsigned char>(random());
  return result;
}

constexpr int written = 0, read_back = 1, taken = 2;  // notifications

}  // namespace

WHERRY_TEST(writes_and_their_notifications_arrive, ranks(1, 2, 3, 4)) {
  const ranks_of_test all(test);
  std::mt19937_64 random(test.seed);  // in the same state on all ranks
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  for (const auto what : {memory_kind::ours, memory_kind::users, memory_kind::allocated, memory_kind::window}) {
    const std::int64_t size = 200'000;
    const any_segment one(test, all.comm, what, size);
    for (int round = 0; round < 12; ++round) {
      const std::int64_t length = round % 3 == 0 ? size : static_cast<std::int64_t>(random() % 3000);
      const std::int64_t at = length == size ? 0 : static_cast<std::int64_t>(random() % 100'000);
      std::vector<bytes> from;  // of each rank
      for (int r = 0; r < test.size; ++r) from.push_back(random_bytes(random, length));
      auto& mine = from[static_cast<std::size_t>(test.rank)];
      const auto value = static_cast<std::uint32_t>(round + 1);
      const auto half = length / 2;
      wherry_segment_piece pieces[] = {{at, mine.data(), half}, {at + half, mine.data() + half, length - half}};
      int done = 0;
      switch (round % 6) {
        case 0:
        case 1:
          succeeds(wherry_segment_write_notify(one.segment, next, at, mine.data(), length, written, value));
          break;
        case 2:
          succeeds(wherry_segment_write_list_notify(one.segment, next, 2, pieces, written, value));
          break;
        case 3:
          succeeds(wherry_segment_write(one.segment, next, at, mine.data(), length, nullptr));
          succeeds(wherry_segment_notify(one.segment, next, written, value));
          break;
        case 4: {
          wherry_segment_queue queue = nullptr;
          succeeds(wherry_segment_queue_create(&queue));
          succeeds(wherry_segment_write_list(one.segment, next, 2, pieces, queue));
          while (done == 0) succeeds(wherry_segment_queue_wait(queue, 1.0, &done));
          std::int64_t left = -1;
          succeeds(wherry_segment_queue_size(queue, &left));
          CHECK_EQUAL(left, 0);
          succeeds(wherry_segment_queue_purge(queue));
          succeeds(wherry_segment_queue_free(&queue));
          const wherry_segment_notice notice{next, written, value};
          succeeds(wherry_segment_notify_list(one.segment, 1, &notice));
          break;
        }
        default:
          while (done == 0)
            succeeds(wherry_segment_write_notify_within(one.segment, next, at, mine.data(), length, written, value, 0.5,
                                                        &done));
      }
      std::uint32_t come = 0;
      if (round % 2 == 0) {
        succeeds(wherry_segment_wait(one.segment, written, WHERRY_NO_LIMIT, &come));
      } else {
        int id = -1;
        succeeds(wherry_segment_wait_some(one.segment, 0, 2, WHERRY_NO_LIMIT, &id));
        CHECK_EQUAL(id, written);
        succeeds(wherry_segment_value(one.segment, id, &come));
        const volatile std::uint32_t* word = nullptr;
        succeeds(wherry_segment_word(one.segment, id, &word));
        CHECK_EQUAL(std::uint32_t{*word}, value);
        succeeds(wherry_segment_reset(one.segment, id, nullptr));
      }
      CHECK_EQUAL(come, value);
      const auto& theirs = from[static_cast<std::size_t>(before)];
      if (fault(one.content(at, length) != theirs)) FAIL("round " + std::to_string(round) + ": other bytes");

      // And back: each rank reads its next one's part, which holds what it has written.
      bytes seen(static_cast<std::size_t>(length), 0);
      wherry_segment_piece parts[] = {{at, seen.data(), half}, {at + half, seen.data() + half, length - half}};
      succeeds(wherry_segment_notify(one.segment, before, taken, 1));
      succeeds(wherry_segment_wait(one.segment, taken, WHERRY_NO_LIMIT, nullptr));  // the next one has looked
      done = 0;
      if (round % 3 == 0) {
        succeeds(wherry_segment_read_notify(one.segment, next, at, seen.data(), length, read_back, 7));
        succeeds(wherry_segment_wait(one.segment, read_back, WHERRY_NO_LIMIT, &come));
        CHECK_EQUAL(come, 7u);
      } else if (round % 3 == 1) {
        succeeds(wherry_segment_read_list(one.segment, next, 2, parts, nullptr));
        while (done == 0) succeeds(wherry_segment_flush(one.segment, 1.0, &done));
      } else {
        succeeds(wherry_segment_read_list_notify(one.segment, next, 2, parts, read_back, 1));
        succeeds(wherry_segment_wait(one.segment, read_back, WHERRY_NO_LIMIT, nullptr));
        succeeds(wherry_segment_read(one.segment, next, at, seen.data(), length, nullptr));
        succeeds(wherry_segment_flush(one.segment, WHERRY_NO_LIMIT, nullptr));
      }
      CHECK(seen == mine);
      MPI_Barrier(test.comm);
    }
  }
}

WHERRY_TEST(long_data_travels_in_pieces, ranks(1, 2, 3)) {
  const ranks_of_test all(test);
  std::mt19937_64 random(test.seed);
  const std::int64_t size = 900'000;
  const any_segment one(test, all.comm, memory_kind::ours, size);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  for (int round = 0; round < 3; ++round) {
    std::vector<bytes> from;
    for (int r = 0; r < test.size; ++r) from.push_back(random_bytes(random, size));
    const auto& mine = from[static_cast<std::size_t>(test.rank)];
    int done = 0;
    if (round == 1)
      while (done == 0)
        succeeds(wherry_segment_write_in_pieces_within(one.segment, next, 0, mine.data(), size, 5, 1.0, &done));
    else
      succeeds(wherry_segment_write_in_pieces(one.segment, next, 0, mine.data(), size, 5));
    bytes seen(static_cast<std::size_t>(size));
    done = 0;
    while (done == 0) succeeds(wherry_segment_copy_out(one.segment, 0, seen.data(), size, 5, 0.01, &done));
    CHECK(seen == from[static_cast<std::size_t>(before)]);
    MPI_Barrier(test.comm);
  }
}

WHERRY_TEST(words_change_atomically, ranks(1, 2, 3, 4)) {
  const ranks_of_test all(test);
  const any_segment one(test, all.comm, memory_kind::ours, test.rank == 0 ? 16 : 0);
  int aligned = 0;
  succeeds(wherry_segment_is_aligned(one.segment, 0, &aligned));
  CHECK_EQUAL(aligned, 1);
  std::vector<std::uint64_t> mine;
  for (int i = 0; i < 50; ++i) {
    std::uint64_t old = 0;
    int done = 0;
    if (i % 2 == 0)
      succeeds(wherry_segment_fetch_add(one.segment, 0, 8, 1, &old));
    else
      while (done == 0) succeeds(wherry_segment_fetch_add_within(one.segment, 0, 8, 1, 1.0, &done, &old));
    mine.push_back(old);
  }
  std::vector<std::uint64_t> numbers(50 * static_cast<std::size_t>(test.size));
  MPI_Allgather(mine.data(), 50, MPI_UINT64_T, numbers.data(), 50, MPI_UINT64_T, test.comm);
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) CHECK_EQUAL(numbers[i], i);
  // One rank wins.
  std::uint64_t old = 0;
  int done = 0;
  while (done == 0)
    succeeds(wherry_segment_compare_swap_within(one.segment, 0, 0, 0, static_cast<std::uint64_t>(test.rank) + 1, 1.0,
                                                &done, &old));
  const int won = old == 0 ? 1 : 0;
  int winners = 0;
  MPI_Allreduce(&won, &winners, 1, MPI_INT, MPI_SUM, test.comm);
  CHECK_EQUAL(winners, 1);
  succeeds(wherry_segment_compare_swap(one.segment, 0, 0, 0, 99, &old));
  CHECK(old >= 1 && old <= static_cast<std::uint64_t>(test.size));
  MPI_Barrier(test.comm);
}

WHERRY_TEST(ranks_of_a_node_see_each_others_parts, ranks(1, 2, 3)) {
  const ranks_of_test all(test);
  const any_segment one(test, all.comm, memory_kind::ours, 8 * (test.rank + 1));
  const int next = (test.rank + 1) % test.size;
  void* theirs = nullptr;
  std::int64_t size = 0;
  succeeds(wherry_segment_memory_of(one.segment, next, &theirs, &size));
  CHECK_EQUAL(size, 8 * (next + 1));
  const int *node = nullptr, *last = nullptr;
  int count = 0;
  succeeds(wherry_communicator_node(all.comm, &node, &count));
  last = node + count;
  if (std::find(node, last, next) == last) test.skip("the ranks are on different nodes");
  REQUIRE(theirs != nullptr);
  const std::int64_t number = 100 + test.rank;
  std::memcpy(theirs, &number, 8);
  succeeds(wherry_segment_notify(one.segment, next, 3, 9));
  // The writer of a notification can also look at it, and the owner can take it.
  std::uint32_t value = 0;
  succeeds(wherry_segment_wait(one.segment, 3, WHERRY_NO_LIMIT, &value));
  CHECK_EQUAL(value, 9u);
  std::int64_t seen = 0;
  std::memcpy(&seen, one.memory, 8);
  CHECK_EQUAL(seen, 100 + (test.rank + test.size - 1) % test.size);
  MPI_Barrier(test.comm);
  succeeds(wherry_segment_notify(one.segment, test.rank, 4, static_cast<std::uint32_t>(test.rank) + 1));
  MPI_Barrier(test.comm);
  int id = -1;
  succeeds(wherry_segment_wait_some_of(one.segment, next, 4, 2, 0, &id));
  CHECK_EQUAL(id, 4);
  succeeds(wherry_segment_value_of(one.segment, next, 4, &value));
  CHECK_EQUAL(value, static_cast<std::uint32_t>(next) + 1);
  succeeds(wherry_segment_reset_of(one.segment, next, 4, &value));
  CHECK_EQUAL(value, static_cast<std::uint32_t>(next) + 1);
  succeeds(wherry_segment_wait_of(one.segment, next, 4, 0, &value));
  CHECK_EQUAL(value, 0u);
  MPI_Barrier(test.comm);
  const char* text = nullptr;
  succeeds(wherry_segment_explain(one.segment, &text));
  CHECK(std::string(text).find("segment") != std::string::npos);
  succeeds(wherry_segment_transport(one.segment, &text));
  CHECK_EQUAL(std::string(text), "notified writes");
  wherry_statistics moved{};
  succeeds(wherry_segment_statistics(one.segment, &moved));
}

WHERRY_TEST(parts_of_a_space_are_met_one_by_one, ranks(1, 2, 3)) {
  const ranks_of_test all(test);
  wherry_segment_space space = nullptr;
  succeeds(wherry_segment_space_create(all.comm, "tests", &space));
  int one_node = -1, has = -1;
  succeeds(wherry_segment_space_is_one_node(space, &one_node));
  CHECK(one_node == 0 || one_node == 1);
  wherry_segment segment = nullptr;
  succeeds(wherry_segment_create_in_space(space, nullptr, &segment));
  succeeds(wherry_segment_has_part(segment, &has));
  CHECK_EQUAL(has, 0);
  wherry_segment_ticket mine{};
  bytes users(64, 0);
  succeeds(wherry_segment_offer(segment, test.rank % 2 == 0 ? nullptr : users.data(), 64, &mine));
  fails("a second part", wherry_segment_offer(segment, nullptr, 64, &mine), WHERRY_ERROR_STATE, "");
  succeeds(wherry_segment_has_part(segment, &has));
  CHECK_EQUAL(has, 1);
  std::vector<wherry_segment_ticket> tickets(static_cast<std::size_t>(test.size));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, tickets.data(), sizeof mine, MPI_BYTE, test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  succeeds(wherry_segment_meet(segment, next, &tickets[static_cast<std::size_t>(next)]));
  const std::int64_t number = 1000 + test.rank;
  succeeds(wherry_segment_write_notify(segment, next, 8, &number, 8, 0, 1));
  succeeds(wherry_segment_wait(segment, 0, WHERRY_NO_LIMIT, nullptr));
  void* memory = nullptr;
  succeeds(wherry_segment_memory(segment, &memory, nullptr));
  std::int64_t come = 0;
  std::memcpy(&come, static_cast<char*>(memory) + 8, 8);
  CHECK_EQUAL(come, 1000 + before);
  MPI_Barrier(test.comm);
  succeeds(wherry_segment_forget(segment, next));
  if (test.size > 1)
    fails("forgotten", wherry_segment_write(segment, next, 0, &number, 8, nullptr), WHERRY_ERROR_ARGUMENT, "");
  MPI_Barrier(test.comm);
  succeeds(wherry_segment_withdraw(segment));
  succeeds(wherry_segment_has_part(segment, &has));
  CHECK_EQUAL(has, 0);
  succeeds(wherry_segment_free(&segment));
  succeeds(wherry_segment_space_free(&space));
}

WHERRY_TEST(wrong_segments_are_errors, ranks(1, 2, 3)) {
  const ranks_of_test all(test);
  const auto wrong = WHERRY_ERROR_ARGUMENT;
  wherry_segment segment = nullptr;
  wherry_segment_options options = WHERRY_INIT(wherry_segment_options);
  const bool last = test.rank == test.size - 1;
  fails("size", wherry_segment_create(all.comm, last ? -8 : 8, nullptr, &segment), wrong, "'bytes' is -8");
  options.struct_size = last ? 0 : sizeof options;
  fails("options", wherry_segment_create(all.comm, 8, &options, &segment), wrong, "it was not set by WHERRY_INIT");
  options = WHERRY_INIT(wherry_segment_options);
  options.notifications = last ? -1 : 8;
  fails("notifications", wherry_segment_create(all.comm, 8, &options, &segment), wrong, "notifications");
  fails("no communicator", wherry_segment_create(nullptr, 8, nullptr, &segment), wrong, "'comm' is NULL");
  fails("no result", wherry_segment_create(all.comm, 8, nullptr, nullptr), wrong, "'result' is NULL");
  fails("no memory", wherry_segment_create_in(all.comm, nullptr, 8, nullptr, &segment), wrong, "null");
  fails("no window", wherry_segment_create_in_window(all.comm, MPI_WIN_NULL, nullptr, &segment), wrong, "");
  CHECK(segment == nullptr);
  options.notifications = 4;
  options.name = "mine";
  succeeds(wherry_segment_create(all.comm, 64, &options, &segment));
  int count = 0, done = -1;
  succeeds(wherry_segment_notifications(segment, &count));
  CHECK_EQUAL(count, 4);
  std::uint64_t old = 0;
  std::uint32_t value = 0;
  char data[8] = {};
  fails("rank", wherry_segment_write(segment, 99, 0, data, 8, nullptr), wrong, "99");
  fails("negative", wherry_segment_write(segment, 0, -8, data, 8, nullptr), wrong, "'at' is -8");
  fails("negative", wherry_segment_write(segment, 0, 0, data, -8, nullptr), wrong, "'bytes' is -8");
  fails("outside", wherry_segment_write(segment, 0, 60, data, 8, nullptr), wrong, "60");
  fails("null", wherry_segment_write(segment, 0, 0, nullptr, 8, nullptr), wrong, "'data'");
  fails("null", wherry_segment_read(segment, 0, 0, nullptr, 8, nullptr), wrong, "'into'");
  fails("id", wherry_segment_notify(segment, 0, 4, 1), wrong, "4");
  fails("value", wherry_segment_notify(segment, 0, 0, 0), wrong, "0");
  fails("ids", wherry_segment_wait_some(segment, 2, 3, 0, &done), wrong, "");
  fails("no id", wherry_segment_wait_some(segment, 0, 1, 0, nullptr), wrong, "'id' is NULL");
  fails("no time", wherry_segment_wait(segment, 0, std::numeric_limits<double>::quiet_NaN(), &value), wrong, "");
  fails("no value", wherry_segment_wait(segment, 0, 0, nullptr), wrong, "'value' is NULL");
  fails("no value", wherry_segment_value(segment, 0, nullptr), wrong, "'value' is NULL");
  fails("no flag", wherry_segment_flush(segment, 1, nullptr), wrong, "'done' is NULL");
  fails("pieces", wherry_segment_write_list(segment, 0, 2, nullptr, nullptr), wrong, "'pieces' is NULL");
  fails("pieces", wherry_segment_read_list(segment, 0, -2, nullptr, nullptr), wrong, "the number of 'pieces' is -2");
  fails("notices", wherry_segment_notify_list(segment, 1, nullptr), wrong, "'notices' is NULL");
  fails("unaligned", wherry_segment_fetch_add(segment, 0, 4, 1, &old), wrong, "4");
  fails("no part", wherry_segment_memory_of(segment, -1, nullptr, nullptr), wrong, "-1");
  fails("no space", wherry_segment_offer(segment, nullptr, 8, nullptr), wrong, "'ticket' is NULL");
  wherry_segment_ticket ticket{};
  fails("no space", wherry_segment_offer(segment, nullptr, 8, &ticket), WHERRY_ERROR_STATE, "");
  fails("queue", wherry_segment_write(segment, 0, 0, data, 8, reinterpret_cast<wherry_segment_queue>(segment)), wrong,
        "'queue' is no wherry_segment_queue");
  succeeds(wherry_segment_is_notifying(segment, 0, 0, 1, &done));
  CHECK_EQUAL(done, 0);
  succeeds(wherry_segment_wait(segment, 0, 0, &value));
  CHECK_EQUAL(value, 0u);
  succeeds(wherry_segment_wait_some(segment, 0, 4, 0, &done));
  CHECK_EQUAL(done, -1);
  MPI_Barrier(test.comm);
  auto copy = segment;
  succeeds(wherry_segment_free(&segment));
  CHECK(segment == nullptr);
  fails("freed", wherry_segment_notify(copy, 0, 0, 1), wrong, "'segment' is no wherry_segment");
  fails("freed twice", wherry_segment_free(&copy), wrong, "'segment' is no wherry_segment");
  fails("null", wherry_segment_flush(segment, 0, &done), wrong, "'segment' is NULL");
  succeeds(wherry_segment_free(&segment));
  wherry_segment_queue queue = nullptr;
  fails("no queue", wherry_segment_queue_wait(queue, 0, &done), wrong, "'queue' is NULL");
  options.notifications = 4 + test.rank;
  if (test.size > 1)
    fails("options", wherry_segment_create(all.comm, 8, &options, &segment), WHERRY_ERROR_MISMATCH, "rank");
}
