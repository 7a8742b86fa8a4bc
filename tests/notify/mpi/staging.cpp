// Writes to memory of the user's own that travel through staging: what is promised of them, whoever looks, whatever is
// full, and whichever segment ends first.
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "wherry/notify/segment.hpp"

#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

constexpr std::size_t lengths[] = {1, 8, 47, 48, 49, 2047, 2048, 2049, 5000, 65535, 65536, 65537};

/// A segment over memory of the user's own, which stays when the segment has gone.
struct users {
  explicit users(MPI_Comm comm, std::size_t bytes, int notifications = 64, bool through_kernel = true)
      : memory(bytes),
        segment(wherry::segment<std::byte>(wherry::communicator(comm), std::span(memory),
                                           {.notifications = notifications, .ways = {through_kernel}})) {}
  wherry::segment<std::byte>* operator->() { return &*segment; }

  std::vector<std::byte> memory;
  std::optional<wherry::segment<std::byte>> segment;
};

std::byte byte_of(std::uint64_t seed, int from, std::size_t at) { return static_cast<std::byte>(hash(seed, from, at)); }

std::vector<std::byte> bytes_of(std::uint64_t seed, int from, std::size_t at, std::size_t count) {
  std::vector<std::byte> data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = byte_of(seed, from, at + i);
  return data;
}

bool holds(const std::vector<std::byte>& memory, std::uint64_t seed, int from, std::size_t at, std::size_t count) {
  for (std::size_t i = at; i < at + count; ++i)
    if (memory[i] != byte_of(seed, from, i)) return false;
  return true;
}

int next_of(const context& test) { return (test.rank + 1) % test.size; }
int before(const context& test) { return (test.rank + test.size - 1) % test.size; }

template <class Body> void on_all_nodes(const context& test, Body&& body) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list())
    for (const bool through_kernel : {true, false}) body(comm, through_kernel);
}

}  // namespace

// Short writes in staging, long ones through the kernel or by MPI_Put, in any order, with and without a queue: the
// notification comes after all of them.
WHERRY_TEST(staged_writes_of_all_lengths_come_before_their_notification, ranks(1, 2, 3, 4, 8)) {
  const setting limit("staged_write", "64K", "4K");  // all that there is room for at once
  on_all_nodes(test, [&](MPI_Comm comm, bool through_kernel) {
    constexpr std::size_t most = 250'000;
    users s(comm, most, 64, through_kernel);
    random_numbers random(hash(test.seed, test.rank));
    wherry::segment_queue queue;
    for (int round = 1; round <= 5; ++round) {
      const auto seed = hash(test.seed, round);
      std::vector<std::vector<std::byte>> sent;
      std::size_t at = 0;
      while (at + 70'000 < most) {
        const auto length = lengths[random.next() % std::size(lengths)];
        sent.push_back(bytes_of(seed, test.rank, at, length));
        s->write(next_of(test), at, sent.back(), random.chance(30) ? &queue : nullptr);
        at += length;
      }
      sent.push_back(bytes_of(seed, test.rank, at, 48));
      if (random.chance(50)) {
        s->write_notify(next_of(test), at, sent.back(), 3, static_cast<std::uint32_t>(at + 48));
      } else {
        s->write(next_of(test), at, sent.back());
        s->notify(next_of(test), 3, static_cast<std::uint32_t>(at + 48));
      }
      const auto length = s->wait(3).value();
      CHECK(holds(s.memory, seed, before(test), 0, length));
      queue.wait();
      s->notify(before(test), 4);
      s->wait(4);
    }
  });
}

// More than staging holds, while the target makes no call: nothing waits, nothing is lost.
WHERRY_TEST(a_target_that_does_not_look_holds_nobody_up, ranks(2, 3, 4, 8)) {
  on_all_nodes(test, [&](MPI_Comm comm, bool through_kernel) {
    constexpr int writes = 300;
    users s(comm, writes * 8, writes, through_kernel);
    const auto sent = bytes_of(test.seed, test.rank, 0, writes * 8);
    for (int i = 0; i < writes; ++i)
      s->write_notify(next_of(test), static_cast<std::size_t>(i) * 8,
                      std::span(sent).subspan(static_cast<std::size_t>(i) * 8, 8), i, 1);
    MPI_Barrier(test.comm);
    for (int i = writes - 1; i >= 0; --i) {
      CHECK_EQUAL(s->wait(i).value(), 1u);
      CHECK(holds(s.memory, test.seed, before(test), static_cast<std::size_t>(i) * 8, 8));
    }
    MPI_Barrier(test.comm);
  });
}

// After a flush, or a queue's wait, it is there for who hears of it by other means and makes no call of Wherry's.
WHERRY_TEST(what_is_flushed_is_there_without_a_look, ranks(2, 3, 4)) {
  on_all_nodes(test, [&](MPI_Comm comm, bool through_kernel) {
    users s(comm, 10'000, 64, through_kernel);
    wherry::segment_queue queue;
    for (int round = 0; round < 9; ++round) {
      const auto seed = hash(test.seed, round);
      const auto sent = bytes_of(seed, test.rank, 0, 10'000);
      const auto all = std::span<const std::byte>(sent);
      if (round % 3 == 0) {
        s->write(next_of(test), 0, all.first(100), &queue);
        s->write(next_of(test), 100, all.subspan(100), &queue);
        queue.wait();
      } else if (round % 3 == 1) {
        s->write(next_of(test), 0, all);
        s->flush();
      } else {
        s->write_notify(next_of(test), 0, all, 0);
        s->flush();
      }
      MPI_Barrier(test.comm);
      CHECK(holds(s.memory, seed, before(test), 0, 10'000));
      MPI_Barrier(test.comm);
    }
  });
}

// Who looks at another rank's notifications may read what they tell of, though that rank makes no call.
WHERRY_TEST(what_is_staged_is_there_for_who_looks_on_anothers_behalf, ranks(2, 3, 4)) {
  on_all_nodes(test, [&](MPI_Comm comm, bool through_kernel) {
    users s(comm, 5'000, 64, through_kernel);
    const int writer = test.size - 1, target = 0, looker = test.size > 2 ? 1 : writer;
    for (int round = 1; round <= 8; ++round) {
      const auto seed = hash(test.seed, round);
      const auto sent = bytes_of(seed, writer, 0, 5'000);
      if (test.rank == writer) s->write_notify(target, 0, sent, 1, static_cast<std::uint32_t>(round));
      if (test.rank == looker && s->comm().node_index(target) >= 0) {
        CHECK_EQUAL(s->notifications_of(target).wait(1).value(), static_cast<std::uint32_t>(round));
        std::vector<std::byte> come(5'000);
        s->read(target, 0, come);
        s->flush();
        CHECK(holds(come, seed, writer, 0, 5'000));
      } else if (test.rank == target && s->comm().node_index(looker) < 0) {
        CHECK_EQUAL(s->wait(1).value(), static_cast<std::uint32_t>(round));
        CHECK(holds(s.memory, seed, writer, 0, 5'000));
      }
      MPI_Barrier(test.comm);
    }
  });
}

WHERRY_TEST(a_rank_reads_what_it_has_staged, ranks(1, 2, 3)) {
  on_all_nodes(test, [&](MPI_Comm comm, bool through_kernel) {
    users s(comm, 3'000, 64, through_kernel);
    const auto sent = bytes_of(test.seed, test.rank, 0, 3'000);
    std::vector<std::byte> come(3'000);
    s->write(next_of(test), 0, sent);
    if (s->comm().node_index(next_of(test)) < 0) s->flush();
    s->read(next_of(test), 0, come);
    s->flush();
    CHECK(come == sent);
    MPI_Barrier(test.comm);
  });
}

// Ends in any order: what was staged for a rank is in its memory when its segment has gone, or when it has looked,
// though the writer's has gone.
WHERRY_TEST(segments_end_with_staged_data, ranks(1, 2, 3, 4)) {
  on_all_nodes(test, [&](MPI_Comm comm, bool through_kernel) {
    for (int round = 0; round < 4; ++round) {
      const auto seed = hash(test.seed, round);
      users s(comm, 3'000, 64, through_kernel);
      const auto sent = bytes_of(seed, test.rank, 0, 3'000);
      s->write_notify(next_of(test), 0, std::span(sent).first(40), 0);
      s->write_notify(next_of(test), 40, std::span(sent).subspan(40), 1);
      const bool looks = (test.rank + round) % 2 == 0;
      MPI_Barrier(test.comm);
      if (!looks) {
        s.segment.reset();
        CHECK(holds(s.memory, seed, before(test), 0, 3'000));
      }
      MPI_Barrier(test.comm);
      if (looks) {
        s->wait(1);
        CHECK(holds(s.memory, seed, before(test), 40, 2'960));
        s->wait(0);
        CHECK(holds(s.memory, seed, before(test), 0, 3'000));
      }
      s.segment.reset();
      MPI_Barrier(test.comm);
    }
  });
}

// Several threads write, and several take notifications.
WHERRY_TEST(threads_write_through_staging, ranks(1, 2, 3)) {
  if (wherry::communicator(test.comm).arena() == nullptr) test.skip("there is no node-shared memory");
  int level = 0;
  MPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE) test.skip("this MPI gives no MPI_THREAD_MULTIPLE");
  constexpr int threads = 3, writes = 400;
  constexpr std::size_t length = 200;
  users s(test.comm, threads * writes * length, threads * writes);
  const auto sent = bytes_of(test.seed, test.rank, 0, threads * writes * length);
  std::vector<std::thread> all;
  std::vector<int> wrong(threads, 0);
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      for (int i = t * writes; i < (t + 1) * writes; ++i)
        s->write_notify(next_of(test), static_cast<std::size_t>(i) * length,
                        std::span(sent).subspan(static_cast<std::size_t>(i) * length, length), i, 1);
      for (int i = t * writes; i < (t + 1) * writes; ++i) {
        s->wait(i);
        if (!holds(s.memory, test.seed, before(test), static_cast<std::size_t>(i) * length, length))
          ++wrong[static_cast<std::size_t>(t)];
      }
    });
  for (auto& thread : all) thread.join();
  for (const int count : wrong) CHECK_EQUAL(count, 0);
  MPI_Barrier(test.comm);
}

WHERRY_TEST(staging_can_be_switched_off, ranks(2)) {
  for (const char* most : {"0", "100", "64K"}) {
    const setting limit("staged_write", most, "4K");
    users s(test.comm, 1'000);
    const auto told = s->explain();
    const bool node = s->comm().node_index(1 - test.rank) >= 0 && s->comm().arena() != nullptr;
    CHECK_EQUAL(told.find("by staging") != std::string::npos, node && std::string_view(most) != "0");
    const auto sent = bytes_of(test.seed, test.rank, 0, 1'000);
    s->write_notify(next_of(test), 0, sent, 0);
    s->wait(0);
    CHECK(holds(s.memory, test.seed, before(test), 0, 1'000));
    MPI_Barrier(test.comm);
  }
}
