// What is promised of order (byte_segment, docs/notify.md), each promise as the smallest program that would show it
// broken, over every kind of memory, within nodes and between them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "memory_kinds.hpp"

using namespace wherry_test;

namespace {

// Between hosts TCP keeps the order, and a round takes up to 0.2 seconds.
std::uint64_t rounds_here() {
  const char* const way = std::getenv("WHERRY_TEST_WAY");
  return way != nullptr && std::string_view(way) == "hosts" ? 10 : 200;
}
const std::uint64_t rounds = rounds_here();

int next_of(const context& test) { return (test.rank + 1) % test.size; }
int before(const context& test) { return (test.rank + test.size - 1) % test.size; }

/// Hands the core over now and then, so that who is ahead is not always the same.
void disturb(random_numbers& random) {
  if (random.chance(20)) std::this_thread::yield();
}

bool all_are(std::span<const std::uint64_t> list, std::uint64_t value) {
  return std::ranges::all_of(list, [value](std::uint64_t v) { return v == value; });
}

}  // namespace

// Message passing: a notification is seen after what was written before it, by the same call or by others, in lists,
// and by queues.
WHERRY_TEST(litmus_data_comes_before_its_notification, ranks(1, 2, 3, 4)) {
  random_numbers random(hash(test.seed, test.rank));
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 64);
    wherry::segment_queue queue;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      const std::vector<std::uint64_t> data(16, round);
      const auto bytes = std::as_bytes(std::span(data));
      const int to = next_of(test);
      s->write(to, 0, data);
      s->write(to, 16, data, &queue);
      disturb(random);
      const wherry::channels::segment_write list[] = {{256, bytes}, {384, bytes}};
      if (round % 2 == 0)
        s->bytes().write_notify(to, list, 0, static_cast<std::uint32_t>(round));
      else {
        s->bytes().write(to, list);
        const wherry::channels::segment_notice notice[] = {{to, 0, static_cast<std::uint32_t>(round)}};
        s->bytes().notify(notice);
      }
      CHECK_EQUAL(s->wait(0).value(), static_cast<std::uint32_t>(round));
      CHECK(all_are(s->mine(), round));
      s->notify(before(test), 1);
      s->wait(1);
    }
    queue.wait();
  });
}

// The same of long data, which may be stored past the caches, in no order by itself (core/copies_for_reader.hpp).
WHERRY_TEST(litmus_long_data_comes_before_its_notification, ranks(1, 2, 3, 4)) {
  constexpr std::size_t length = 4096;
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 2 * length);
    for (std::uint64_t round = 1; round <= 40; ++round) {
      const std::vector<std::uint64_t> data(length, round);
      const int to = next_of(test);
      s->write(to, 0, data);
      s->write_notify(to, length, data, 0, static_cast<std::uint32_t>(round));
      CHECK_EQUAL(s->wait(0).value(), static_cast<std::uint32_t>(round));
      CHECK(all_are(s->mine(), round));
      s->notify(before(test), 1);
      s->wait(1);
    }
  });
}

// What is flushed is there for everybody whom this rank, or somebody whom it has told, tells of it.
WHERRY_TEST(litmus_what_is_flushed_is_there_for_all_who_hear_of_it, ranks(3, 4)) {
  random_numbers random(hash(test.seed, test.rank));
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 8);
    wherry::segment_queue queue;
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      const std::vector<std::uint64_t> data(8, round);
      if (test.rank == 0) {
        s->write(2, 0, data, round % 2 == 0 ? &queue : nullptr);
        if (round % 2 == 0)
          queue.wait();
        else
          s->flush();
        disturb(random);
        s->notify(1, 0);
      }
      if (test.rank == 1) {
        s->wait(0);
        s->notify(2, 0);
      }
      if (test.rank == 2) {
        s->wait(0);
        CHECK(all_are(s->mine(), round));
        s->notify(0, 1);
      }
      if (test.rank == 0) s->wait(1);
    }
    MPI_Barrier(test.comm);  // rank 3 makes no call meanwhile that the others would need
  });
}

// Who reads in place, and then says that it has, never sees what is written afterwards.
WHERRY_TEST(litmus_what_is_read_before_the_answer_is_old, ranks(1, 2, 3, 4)) {
  random_numbers random(hash(test.seed, test.rank));
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 32);
    const int to = next_of(test);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      if (round > 1) s->wait(1);  // it has been read there
      const std::vector<std::uint64_t> data(32, round);
      s->write_notify(to, 0, data, 0);
      s->wait(0);
      const auto mine = s->mine();
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (i == 16) disturb(random);
        CHECK_EQUAL(mine[i], round);
      }
      s->notify(before(test), 1);
    }
    s->wait(1);
  });
}

// What a rank reads after a notification is what the notifier had when it notified; read_notify tells of it later
// still.
WHERRY_TEST(litmus_reads_see_what_was_there_at_the_notification, ranks(1, 2, 3, 4)) {
  random_numbers random(hash(test.seed, test.rank));
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 32);
    const int from = next_of(test);
    std::vector<std::uint64_t> come(32);
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      std::ranges::fill(s->mine(), round + 1000 * static_cast<std::uint64_t>(test.rank));
      disturb(random);
      s->notify(before(test), 0);
      s->wait(0);
      if (round % 2 == 0) {
        s->read(from, 0, come);
        s->flush();
      } else {
        s->read_notify(from, 0, come, 2);
        s->wait(2);
      }
      CHECK(all_are(come, round + 1000 * static_cast<std::uint64_t>(from)));
      s->notify(from, 1);  // it may be overwritten
      s->wait(1);
    }
  });
}

// A notification that nobody has taken is overwritten; one that is taken is taken whole, and once.
WHERRY_TEST(litmus_a_notification_is_one_word, ranks(1, 2, 3, 4)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 1);
    const int to = next_of(test);
    std::uint32_t last = 0, taken = 0;
    const auto take = [&](std::uint32_t value) {
      if (value == 0) return;
      CHECK(value > last);  // the same rank's, some of them not seen
      last = value;
      ++taken;
    };
    for (std::uint32_t i = 1; i <= rounds; ++i) {
      s->notify(to, 0, i);
      take(s->reset(0));
    }
    while (last != rounds) take(s->wait(0).value());
    CHECK(taken <= rounds);
    CHECK_EQUAL(s->reset(0), 0u);
    s->notify(before(test), 2);
    s->wait(2);
  });
}
