// Segments, published layouts, passive messages and groups of ranks by the C interface.
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

WHERRY_TEST(passive_messages_arrive_in_order, ranks(1, 2, 3, 4)) {
  const ranks_of_test all(test);
  wherry_passive_messages messages = nullptr;
  wherry_passive_options options = WHERRY_INIT(wherry_passive_options);
  options.largest = 4 * sizeof(int);
  options.name = "jobs";
  succeeds(wherry_passive_messages_create(all.comm, &options, &messages));
  const int many = 30;
  std::vector<int> next(static_cast<std::size_t>(test.size), 0);
  std::array<int, 4> job{};
  int come = 0;
  const auto receive = [&](double seconds) {
    std::array<int, 4> got{};
    int from = -1;
    std::int64_t size = 0;
    succeeds(wherry_passive_messages_receive(messages, got.data(), sizeof got, seconds, &from, &size));
    if (from < 0) return;
    CHECK_EQUAL(got[0], from);
    CHECK_EQUAL(got[1], next[static_cast<std::size_t>(from)]++);
    CHECK_EQUAL(size, 8 + 4 * (got[1] % 3));
    ++come;
  };
  for (int i = 0; i < many; ++i)
    for (int to = 0; to < test.size; ++to) {
      job = {test.rank, i, 0, 0};
      int done = 0;
      while (done == 0) {
        succeeds(wherry_passive_messages_send(messages, to, job.data(), 8 + 4 * (i % 3), 0, &done));
        receive(0);
      }
    }
  while (come < many * test.size) receive(WHERRY_NO_LIMIT);
  receive(0);
  CHECK_EQUAL(come, many * test.size);
  const char* text = nullptr;
  succeeds(wherry_passive_messages_explain(messages, &text));
  CHECK(std::string(text).find("jobs") != std::string::npos);
  succeeds(wherry_passive_messages_transport(messages, &text));
  CHECK_EQUAL(std::string(text), "two_sided");
  wherry_statistics moved{};
  succeeds(wherry_passive_messages_statistics(messages, &moved));
  CHECK_EQUAL(moved.exchanges, many * test.size);

  succeeds(wherry_passive_messages_send(messages, test.rank, job.data(), 16, WHERRY_NO_LIMIT, nullptr));
  int from = 0;
  const auto wrong = WHERRY_ERROR_ARGUMENT;
  while (from >= 0 && wherry_passive_messages_receive(messages, job.data(), 4, 0, &from, nullptr) == WHERRY_SUCCESS)
    std::this_thread::yield();
  fails("small", wherry_passive_messages_receive(messages, job.data(), 4, 1, &from, nullptr), wrong, "16");
  succeeds(wherry_passive_messages_receive(messages, job.data(), 16, 1, &from, nullptr));
  CHECK_EQUAL(from, test.rank);
  fails("long", wherry_passive_messages_send(messages, 0, job.data(), 17, 0, &from), wrong, "17");
  fails("null", wherry_passive_messages_send(messages, 0, nullptr, 4, 0, &from), wrong, "'data' is NULL");
  fails("negative", wherry_passive_messages_send(messages, 0, &job, -4, 0, &from), wrong, "'bytes' is -4");
  fails("nobody", wherry_passive_messages_send(messages, 77, &job, 4, 0, &from), wrong, "77");
  fails("no flag", wherry_passive_messages_send(messages, 0, &job, 4, 0, nullptr), wrong, "'done' is NULL");
  fails("no sender", wherry_passive_messages_receive(messages, &job, 4, 0, nullptr, nullptr), wrong, "'from' is NULL");
  auto copy = messages;
  succeeds(wherry_passive_messages_free(&messages));
  fails("freed", wherry_passive_messages_send(copy, 0, &job, 4, 0, &from), wrong, "is no wherry_passive_messages");
  options.largest = test.rank == 0 ? -1 : 16;
  fails("size", wherry_passive_messages_create(all.comm, &options, &messages), wrong, "'options.largest' is -1");
  options.largest = 100 + test.rank;
  if (test.size > 1)
    fails("sizes", wherry_passive_messages_create(all.comm, &options, &messages), WHERRY_ERROR_MISMATCH, "rank");
}

namespace {

int smaller_distance(void* into, const void* from, std::size_t count, void* context) {
  auto* const mine = static_cast<double*>(into);
  const auto* const theirs = static_cast<const double*>(from);
  const double target = *static_cast<const double*>(context);
  for (std::size_t i = 0; i < count; ++i)
    if (std::abs(theirs[i] - target) < std::abs(mine[i] - target)) mine[i] = theirs[i];
  return 0;
}

}  // namespace

WHERRY_TEST(groups_of_ranks_meet_without_the_others, ranks(1, 2, 3, 4)) {
  const ranks_of_test all(test);
  std::mt19937_64 random(test.seed);
  for (int round = 0; round < 8; ++round) {
    std::vector<int> members;
    for (int r = 0; r < test.size; ++r)
      if (round == 0 || random() % 2 == 0) members.push_back(r);
    const auto size = static_cast<std::size_t>(random() % 3000);
    const bool member = std::find(members.begin(), members.end(), test.rank) != members.end();
    wherry_rank_group group = nullptr;
    succeeds(wherry_rank_group_create(all.comm, "some", &group));
    for (auto r = members.rbegin(); r != members.rend(); ++r) succeeds(wherry_rank_group_add(group, *r));
    const int* ranks = nullptr;
    int count = 0, index = 0, done = 0, committed = -1;
    succeeds(wherry_rank_group_ranks(group, &ranks, &count, &index));
    CHECK_EQUAL(std::vector<int>(ranks, ranks + count), members);
    CHECK_EQUAL(index >= 0, member);
    if (member) {
      fails("too early", wherry_rank_group_barrier(group, 0, &done), WHERRY_ERROR_STATE, "");
      while (done == 0) succeeds(wherry_rank_group_commit(group, 0.1, &done));
      succeeds(wherry_rank_group_committed(group, &committed));
      CHECK_EQUAL(committed, 1);
      done = 0;
      while (done == 0) succeeds(wherry_rank_group_barrier(group, 0, &done));
      std::vector<std::int32_t> mine(size), sums(size);
      std::vector<double> near(3, test.rank), nearest(3);
      for (std::size_t i = 0; i < size; ++i) mine[i] = static_cast<std::int32_t>(i) * (test.rank + 1);
      wherry_reduction how{};
      how.operation = WHERRY_ADD;
      succeeds(wherry_rank_group_allreduce(group, mine.data(), sums.data(), static_cast<std::int64_t>(size),
                                           WHERRY_INT32, &how, WHERRY_NO_LIMIT, nullptr));
      std::int32_t factor = 0;
      for (const int r : members) factor += r + 1;
      bool right = true;
      for (std::size_t i = 0; i < size; ++i) right = right && sums[i] == static_cast<std::int32_t>(i) * factor;
      CHECK(right);
      double target = 1.2;
      how = {WHERRY_NO_OPERATION, smaller_distance, &target, "smaller distance", WHERRY_FLOAT64};
      done = 0;
      while (done == 0)
        succeeds(wherry_rank_group_allreduce(group, near.data(), nearest.data(), 3, WHERRY_FLOAT64, &how, 0.1, &done));
      double expected = members.front();
      for (const int r : members)
        if (std::abs(r - target) < std::abs(expected - target)) expected = r;
      CHECK_EQUAL(nearest, std::vector<double>(3, expected));

      const auto wrong = [&](const char* title, const char* words, const wherry_reduction* by, wherry_type type) {
        fails(title, wherry_rank_group_allreduce(group, near.data(), nearest.data(), 3, type, by, 0, &done),
              WHERRY_ERROR_ARGUMENT, words);
      };
      wrong("no operation", "'how' is NULL", nullptr, WHERRY_FLOAT64);
      wrong("another type", "another type than 'type'", &how, WHERRY_INT64);
      how = {};
      wrong("nothing", "no operation and no function", &how, WHERRY_FLOAT64);
      how.operation = WHERRY_BIT_AND;
      wrong("bits of numbers", "has no meaning", &how, WHERRY_FLOAT64);
      how.operation = WHERRY_ADD;
      wrong("bytes", "has no meaning", &how, wherry_bytes(12));
      wrong("no type", "which is none of wherry/c/arrays.h", &how, 3u << 24);
      fails("length", wherry_rank_group_allreduce(group, &near, &near, -1, WHERRY_INT8, &how, 0, &done),
            WHERRY_ERROR_ARGUMENT, "'count' is -1");
      fails("null", wherry_rank_group_allreduce(group, nullptr, &near, 1, WHERRY_INT8, &how, 0, &done),
            WHERRY_ERROR_ARGUMENT, "'in' is NULL");
      const char* text = nullptr;
      succeeds(wherry_rank_group_explain(group, &text));
      CHECK(std::string(text).find("'some'") != std::string::npos);
      succeeds(wherry_rank_group_transport(group, &text));
      wherry_statistics moved{};
      succeeds(wherry_rank_group_statistics(group, &moved));
      succeeds(wherry_rank_group_barrier(group, WHERRY_NO_LIMIT, nullptr));
      fails("a rank too late", wherry_rank_group_add(group, 0), WHERRY_ERROR_STATE, "");
    } else {
      fails("no member", wherry_rank_group_commit(group, 0, &done), WHERRY_ERROR_ARGUMENT, "");
    }
    succeeds(wherry_rank_group_free(&group));
  }
  wherry_rank_group group = nullptr;
  fails("freed", wherry_rank_group_add(group, 0), WHERRY_ERROR_ARGUMENT, "'group' is NULL");
  succeeds(wherry_rank_group_create(all.comm, nullptr, &group));
  fails("nobody", wherry_rank_group_add(group, 99), WHERRY_ERROR_ARGUMENT, "99");
  succeeds(wherry_rank_group_free(&group));
}

WHERRY_TEST(published_layouts_fill_halos, ranks(1, 2, 3, 4)) {
  const ranks_of_test all(test);
  wherry_process_grid grid = nullptr;
  const int periodic[2] = {1, 1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  succeeds(wherry_process_grid_create(all.comm, 2, &shape, &grid));
  const std::int64_t extents[2] = {9, 40};
  const std::size_t size = 9 * 40;
  std::array<double*, 2> arrays{};
  std::vector<double> users(size);
  void* ours = nullptr;
  succeeds(wherry_allocate(all.comm, size * sizeof(double), &ours));
  arrays = {static_cast<double*>(ours), users.data()};
  std::vector<double> expected(size);
  wherry_field u = wherry_field_inside(wherry_c_array(arrays[0], WHERRY_FLOAT64, 2, extents), 1);
  wherry_exchange fill = nullptr;
  succeeds(wherry_halo_exchange_create(grid, 1, &u, nullptr, &fill));
  wherry_published_layouts layouts = nullptr;
  wherry_published_options options = WHERRY_INIT(wherry_published_options);
  options.name = "u";
  succeeds(wherry_published_layouts_create(all.comm, fill, &options, &layouts));
  for (int step = 0; step < 10; ++step) {
    double* const now = arrays[static_cast<std::size_t>(step % 2)];
    for (std::size_t i = 0; i < size; ++i) {
      const auto y = static_cast<int>(i / 40), x = static_cast<int>(i % 40);
      const bool core = y > 0 && y < 8 && x > 0 && x < 39;
      now[i] = expected[i] = core ? 1e4 * test.rank + 1e5 * step + static_cast<double>(i) : -1;
    }
    void* const table[] = {now};
    int done = 0;
    if (step % 3 == 0) {
      succeeds(wherry_published_layouts_publish(layouts, 1, table, WHERRY_NO_LIMIT, nullptr));
      succeeds(wherry_published_layouts_read(layouts, 1, table, WHERRY_NO_LIMIT, nullptr));
    } else {
      while (done == 0) succeeds(wherry_published_layouts_publish(layouts, 1, table, 0.1, &done));
      done = 0;
      while (done == 0) succeeds(wherry_published_layouts_read(layouts, 1, table, 0, &done));
    }
    void* const plain[] = {expected.data()};
    succeeds(wherry_exchange_start_with(fill, 1, plain));
    succeeds(wherry_exchange_wait(fill));
    CHECK(std::equal(expected.begin(), expected.end(), now));
    if (step % 4 == 3) succeeds(wherry_published_layouts_await_readers(layouts, WHERRY_NO_LIMIT, nullptr));
  }
  succeeds(wherry_published_layouts_await_readers(layouts, WHERRY_NO_LIMIT, nullptr));
  const char* text = nullptr;
  succeeds(wherry_published_layouts_explain(layouts, &text));
  succeeds(wherry_published_layouts_transport(layouts, &text));
  wherry_statistics moved{};
  succeeds(wherry_published_layouts_statistics(layouts, &moved));
  CHECK_EQUAL(moved.exchanges, 10);
  void* const two[] = {ours, ours};
  fails("arrays", wherry_published_layouts_publish(layouts, 2, two, 0, nullptr), WHERRY_ERROR_ARGUMENT, "'done'");
  fails("arrays", wherry_published_layouts_publish(layouts, 2, two, WHERRY_NO_LIMIT, nullptr), WHERRY_ERROR_ARGUMENT,
        "there are 2 arrays, but the exchange was made with 1");
  succeeds(wherry_published_layouts_free(&layouts));
  wherry_exchange nothing = test.rank == test.size - 1 ? nullptr : fill;
  fails("one rank has no exchange", wherry_published_layouts_create(all.comm, nothing, nullptr, &layouts),
        WHERRY_ERROR_ARGUMENT, "'exchange' is NULL");
  options.window_count = -1;
  fails("windows", wherry_published_layouts_create(all.comm, fill, &options, &layouts), WHERRY_ERROR_ARGUMENT,
        "'options.windows' is -1");
  wherry_halo_options with_operation = WHERRY_INIT(wherry_halo_options);
  with_operation.update.operation = WHERRY_ADD;
  with_operation.reverse = 1;
  wherry_exchange sums = nullptr;
  succeeds(wherry_halo_exchange_create(grid, 1, &u, &with_operation, &sums));
  fails("an operation", wherry_published_layouts_create(all.comm, sums, nullptr, &layouts), WHERRY_ERROR_ARGUMENT, "");
  CHECK(layouts == nullptr);
  succeeds(wherry_exchange_free(&sums));
  succeeds(wherry_exchange_free(&fill));
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_free(&ours));
}

WHERRY_TEST(living_ranks_are_healthy, ranks(1, 2)) {
  const ranks_of_test all(test);
  int alive = -1;
  const int other = test.size - 1 - test.rank;
  succeeds(wherry_health(all.comm, other, &alive));
  CHECK_EQUAL(alive, 1);
  succeeds(wherry_ping(all.comm, other, 5, &alive));
  CHECK_EQUAL(alive, 1);
  fails("nobody", wherry_health(all.comm, 99, &alive), WHERRY_ERROR_ARGUMENT, "99");
  fails("nobody", wherry_ping(all.comm, -1, 0, &alive), WHERRY_ERROR_ARGUMENT, "-1");
  fails("itself", wherry_take_for_dead(all.comm, test.rank), WHERRY_ERROR_ARGUMENT, "");
  fails("itself", wherry_end_rank(all.comm, test.rank, 0, &alive), WHERRY_ERROR_ARGUMENT, "");
  fails("no result", wherry_health(all.comm, 0, nullptr), WHERRY_ERROR_ARGUMENT, "'alive' is NULL");
  MPI_Barrier(test.comm);
  if (test.size == 2) {
    succeeds(wherry_take_for_dead(all.comm, other));
    succeeds(wherry_health(all.comm, other, &alive));
    CHECK_EQUAL(alive, 0);
  }
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
