// Published layouts, passive messages, groups of ranks and health by the C interface.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

struct ranks_of_test {
  wherry_communicator comm = nullptr;
  explicit ranks_of_test(const context& test) { succeeds(wherry_communicator_create(test.comm, &comm)); }
  ~ranks_of_test() { wherry_communicator_free(&comm); }
};

}  // namespace

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
