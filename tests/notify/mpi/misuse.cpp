// Segments off the happy path: bad arguments, time that runs out, threads that race for a notification.
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "memory_kinds.hpp"
#include "support/all_throw.hpp"

using namespace wherry_test;
using wherry::error_kind;

WHERRY_TEST(segment_arguments_are_checked_before_anything_moves, ranks(1, 2, 3, 4)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 10, 8);
    const int last = test.size - 1;
    std::vector<std::uint64_t> data(11, 99);
    const std::span<const std::uint64_t> eleven(data), one(data.data(), 1);
    all_throw(test, "no such rank", error_kind::argument, "'to' is rank " + std::to_string(test.size),
              [&] { s->write(test.size, 0, one); });
    all_throw(test, "rank -1", error_kind::argument, "'from' is rank -1",
              [&] { s->read(-1, 0, std::span(data).first(1)); });
    all_throw(test, "too long", error_kind::argument, "beyond the 80 bytes", [&] { s->write(last, 0, eleven); });
    all_throw(test, "too far", error_kind::argument, "'at' 80", [&] { s->write_notify(last, 10, one, 0); });
    all_throw(test, "an offset that overflows", error_kind::argument, "beyond the 80 bytes",
              [&] { s->write(last, std::size_t{1} << 61, one); });
    all_throw(test, "value 0", error_kind::argument, "'value'", [&] { s->notify(last, 0, 0); });
    all_throw(test, "no such notification", error_kind::argument, "notifications 8 to 8, but there are 8",
              [&] { s->write_notify(last, 0, one, 8); });
    all_throw(test, "a negative one", error_kind::argument, "notifications -1", [&] { s->reset(-1); });
    all_throw(test, "none to wait for", error_kind::argument, "there are 8", [&] { s->wait_some(0, 0); });
    all_throw(test, "a range that overflows", error_kind::argument, "there are 8",
              [&] { s->wait_some(7, std::numeric_limits<int>::max()); });
    const std::span<const std::uint64_t> nowhere(static_cast<const std::uint64_t*>(nullptr), 2);
    const std::span<std::uint64_t> into_nowhere(static_cast<std::uint64_t*>(nullptr), 2);
    all_throw(test, "null data", error_kind::argument, "'data' is null", [&] { s->write(last, 0, nowhere); });
    all_throw(test, "null data", error_kind::argument, "'data' is null", [&] { s->write_notify(last, 0, nowhere, 0); });
    all_throw(test, "null data", error_kind::argument, "'data' is null",
              [&] { s->write_in_pieces(last, 0, nowhere, 0); });
    all_throw(test, "null into", error_kind::argument, "'into' is null", [&] { s->read(last, 0, into_nowhere); });
    all_throw(test, "null into", error_kind::argument, "'into' is null",
              [&] { s->read_notify(last, 0, into_nowhere, 0); });
    all_throw(test, "null into", error_kind::argument, "'into' is null", [&] { s->copy_out(0, into_nowhere, 0); });
    const wherry::channels::segment_write null_list[] = {{0, std::as_bytes(one)}, {8, std::as_bytes(nowhere)}};
    all_throw(test, "a list with a null piece", error_kind::argument, "'data' is null",
              [&] { s->bytes().write(last, null_list); });
    all_throw(test, "half a word", error_kind::argument, "expected a multiple of 8",
              [&] { s->bytes().fetch_add(last, 4, 1); });
    const wherry::channels::segment_write list[] = {{0, std::as_bytes(one)}, {80, std::as_bytes(one)}};
    all_throw(test, "a list with one bad piece", error_kind::argument, "'at' 80",
              [&] { s->bytes().write_notify(last, list, 0); });
    MPI_Barrier(test.comm);
    for (const auto value : s->mine()) CHECK_EQUAL(value, 0u);  // nothing was written
    CHECK(!s->wait_some(0, 8, 0));
  });
}

WHERRY_TEST(more_pieces_than_there_is_room_for, ranks(1, 2, 3)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::byte> s(comm, kind, 200'000);
    std::vector<std::byte> data(200'000), small(10);
    s->write_in_pieces((test.rank + 1) % test.size, 0, data, 3);
    MPI_Barrier(test.comm);
    while (s->bytes().value(3) == 0) s->wait_some(3, 1, 0.001);
    all_throw(test, "too small", error_kind::argument, "'into' has room for 1 of", [&] { s->copy_out(0, small, 3); });
    all_throw(test, "beyond the segment", error_kind::argument, "beyond the 200000 bytes",
              [&] { s->copy_out(1, data, 3); });
    CHECK(s->copy_out(0, data, 3));
    MPI_Barrier(test.comm);
  });
}

// The user's memory went before its segment: who writes there is told, where the kernel is asked. (What lies in staging
// its owner brings itself, into memory that it has given up: docs/notify.md says not to.)
WHERRY_TEST(memory_that_is_gone_is_an_error, ranks(2, 3)) {
  const std::size_t bytes = 1 << 16;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED);
  const setting unstaged("staged_write", "0", "4K");
  wherry::segment<std::byte> s(test.comm, std::span(static_cast<std::byte*>(memory), bytes));
  if (test.rank == 0) munmap(memory, bytes);
  MPI_Barrier(test.comm);
  std::vector<std::byte> data(100);
  if (test.rank != 0 && s.explain().find(" 0 through the kernel") == std::string::npos) {
    try {
      s.write(0, 0, data);
      FAIL("written to memory that is not there");
    } catch (const wherry::error& problem) {
      CHECK(problem.kind() == error_kind::state);
      CHECK_EQUAL(problem.peers(), std::vector<int>{0});
    }
    s.write(test.rank, 0, data);
  }
  MPI_Barrier(test.comm);
  if (test.rank != 0) munmap(memory, bytes);
}

WHERRY_TEST(segments_that_cannot_be_are_an_error_everywhere, ranks(1, 2, 3)) {
  const bool odd = test.rank == test.size - 1;
  const auto on_one = [&](const char* title, error_kind kind, const std::string& words, auto make) {
    all_throw(test, title, kind, words, [&] { make(); });
    wherry::segment<int> next(test.comm, 3);  // the communicator works on
    next.notify((test.rank + 1) % test.size, 0);
    next.wait(0);
  };
  if (test.size > 1)
    on_one("notifications", error_kind::mismatch, "'notifications'",
           [&] { wherry::segment<int>(test.comm, 3, {.notifications = odd ? 7 : 8}); });
  on_one("a negative number", error_kind::argument, "'notifications' is -1",
         [&] { wherry::segment<int>(test.comm, 3, {.notifications = odd ? -1 : -1}); });
  on_one("memory that is null", error_kind::argument, "null",
         [&] { wherry::segment<int>(test.comm, std::span<int>(static_cast<int*>(nullptr), odd ? 5u : 0u)); });
  on_one("more than there is", error_kind::resource, "bytes",
         [&] { wherry::segment<double>(test.comm, odd ? std::size_t{1} << 62 : 5); });
  on_one("no window", error_kind::argument, "not a window",
         [&] { wherry::segment<int>(test.comm, wherry::shared_window{}); });
}

WHERRY_TEST(waits_end_in_time_and_can_be_repeated, ranks(1, 2, 3)) {
  using clock = std::chrono::steady_clock;
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<int> s(comm, kind, 4);
    CHECK(!s->wait_some(0, 4, 0));
    const auto began = clock::now();
    CHECK(!s->wait(2, 0.05));
    CHECK(std::chrono::duration<double>(clock::now() - began).count() >= 0.05);
    {
      const setting brief("timeout", "0.05", "0");
      try {
        s->wait_some(1, 3);
        FAIL("nobody notifies, and the wait ends");
      } catch (const wherry::error& problem) {
        CHECK(problem.kind() == error_kind::timeout);
        CHECK(std::string(problem.what()).find("notification 1 to 3") != std::string::npos);
      }
      CHECK(!s->wait_some(1, 3, 0.2));  // the caller's own limit goes before
    }
    MPI_Barrier(test.comm);
    s->notify((test.rank + 1) % test.size, 3, 42);
    CHECK_EQUAL(s->wait_some(1, 3).value(), 3);
    CHECK_EQUAL(s->reset(3), 42u);
    CHECK_EQUAL(s->reset(3), 0u);
    MPI_Barrier(test.comm);
  });
}

// Several threads take notifications that several threads give: each value is taken once.
WHERRY_TEST(of_threads_that_reset_one_gets_the_value, ranks(1, 2)) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE) test.skip("MPI has no MPI_THREAD_MULTIPLE");
  constexpr int values = 400, takers = 3;
  wherry::segment<int> s(test.comm, 1, {.notifications = 2});
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  std::atomic<long> sum{0};
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < takers; ++t)
    threads.emplace_back([&] {
      while (taken.load() < values)
        if (const auto value = s.reset(0)) {
          sum += value;
          ++taken;
          s.notify(before, 1);
        }
    });
  for (int value = 1; value <= values; ++value) {
    s.notify(next, 0, static_cast<std::uint32_t>(value));
    s.wait(1);  // taken: not before may it be overwritten
  }
  for (auto& thread : threads) thread.join();
  CHECK_EQUAL(sum.load(), values * (values + 1) / 2);
  MPI_Barrier(test.comm);
}
