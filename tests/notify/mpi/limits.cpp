// Limits on what waits for another rank's MPI: who has only so much time comes back, and the same call goes on.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "memory_kinds.hpp"

using namespace wherry_test;

namespace {

// Rank 1 makes no call of MPI's until rank 0 has come back for the first time, which it says by a plain store: who
// does not come back hangs, and the test's own limit tells. Without shared memory rank 1 is away for a while.
class absence {
 public:
  explicit absence(MPI_Comm comm) : flag_(wherry::communicator(comm), 1) {}

  void of_rank_1() {
    ++times_;
    if (!is_seen()) return std::this_thread::sleep_for(std::chrono::milliseconds(200));
    while (std::atomic_ref(flag_[0]).load(std::memory_order_acquire) != times_) std::this_thread::yield();
  }
  void begins() { ++times_; }
  void ends() {
    if (is_seen()) std::atomic_ref(*flag_.memory_of(1)).store(times_, std::memory_order_release);
  }

 private:
  bool is_seen() const {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return flag_.memory_of(0) != nullptr && flag_.memory_of(1) != nullptr && level == MPI_THREAD_MULTIPLE;
  }
  wherry::segment<int> flag_;
  int times_ = 0;
};

// `call(seconds)` on rank 0 until it says that it is over.
template <class Call> void repeat(absence& away, Call&& call) {
  const bool over = call(0.02);
  away.ends();
  while (!over && !call(0.02)) {
  }
}

void for_some_memory(const context& test, const std::function<void(MPI_Comm, memory_kind)>& body) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list())
    for (const auto kind : {memory_kind::ours, memory_kind::users_by_put_unstaged}) body(comm, kind);
}

}  // namespace

WHERRY_TEST(flushes_that_wait_for_the_target_come_back_in_time, ranks(2, 3).not_simulated("real time must pass")) {
  absence away(test.comm);
  for_some_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t n = 30'000;
    made_segment<std::uint64_t> s(comm, kind, n);
    wherry::segment_queue queue;
    for (const int way : {0, 1, 2, 3}) {
      const std::vector<std::uint64_t> data(n, 7u + static_cast<unsigned>(way));
      MPI_Barrier(test.comm);
      if (test.rank == 1) away.of_rank_1();
      if (test.rank == 0) {
        away.begins();
        if (way == 0) {
          s->write(1, 0, data, &queue);
          repeat(away, [&](double seconds) { return queue.wait(seconds); });
          CHECK_EQUAL(queue.size(), 0u);
        } else if (way == 1) {
          s->write(1, 0, data);
          repeat(away, [&](double seconds) { return s->flush(seconds); });
        } else if (way == 2) {
          s->write(1, 0, data, &queue);
          away.ends();
          CHECK(queue.wait(600));
        } else {
          s->write(1, 0, data);
          repeat(away, [&](double seconds) { return s->notify(1, 5, 3, seconds); });
          CHECK(!s->bytes().is_notifying(1, 5, 3));
        }
        s->notify(1, 0);
      }
      if (test.rank == 1) {
        if (way == 3) CHECK_EQUAL(s->wait(5).value(), 3u);
        if (way != 3) s->wait(0);
        CHECK_EQUAL(s->mine().front(), data.front());
        CHECK_EQUAL(s->mine().back(), data.back());
        if (way == 3) s->wait(0);
      }
    }
    MPI_Barrier(test.comm);
  });
}

WHERRY_TEST(pieces_and_lists_come_back_in_time, ranks(2, 3).not_simulated("real time must pass")) {
  absence away(test.comm);
  for_some_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t n = 30'000;
    made_segment<std::uint64_t> s(comm, kind, n);
    const std::vector<std::uint64_t> data(n, 9);
    std::vector<std::uint64_t> out(n);
    MPI_Barrier(test.comm);
    if (test.rank == 1) away.of_rank_1();
    if (test.rank == 0) {
      away.begins();
      repeat(away, [&](double seconds) { return s->write_in_pieces(1, 0, data, 5, seconds); });
    }
    if (test.rank == 1) {
      while (!s->copy_out(0, out, 5, 0.02)) {
      }
      CHECK_EQUAL(out, data);
    }
    MPI_Barrier(test.comm);
    if (test.rank == 1) away.of_rank_1();
    if (test.rank == 0) {
      away.begins();
      s->write(1, 0, data);
      const wherry::channels::segment_notice list[] = {{1, 5, 3}, {0, 6, 1}, {1, 7, 4}};
      std::size_t told = 0;
      repeat(away, [&](double seconds) {
        told += s->notify(std::span(list).subspan(told), seconds);
        return told == std::size(list);
      });
      CHECK_EQUAL(s->reset(6), 1u);
    }
    if (test.rank == 1) {
      CHECK_EQUAL(s->wait(5).value(), 3u);
      CHECK_EQUAL(s->wait(7).value(), 4u);
      CHECK_EQUAL(s->reset(6), 0u);
    }
    MPI_Barrier(test.comm);
  });
}

// A call without a limit goes on with what one with a limit has begun, and leaves nothing behind for the next.
WHERRY_TEST(calls_without_a_limit_go_on_with_those_that_had_one, ranks(2, 3).not_simulated("real time must pass")) {
  absence away(test.comm);
  for_some_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t n = 30'000;
    made_segment<std::uint64_t> s(comm, kind, n);
    const std::vector<std::uint64_t> data(n, 9);
    const wherry::channels::segment_notice list[] = {{1, 5, 3}, {1, 7, 4}};
    MPI_Barrier(test.comm);
    if (test.rank == 1) away.of_rank_1();
    if (test.rank == 0) {
      away.begins();
      s->write(1, 0, data);
      const auto told = s->notify(std::span(list), 0.0);
      away.ends();
      s->notify(std::span(list).subspan(told));
      s->wait(1);
      s->notify(std::span(list));  // the next step's
    }
    for (int step = 0; step < 2 && test.rank == 1; ++step) {
      CHECK_EQUAL(s->wait(5).value(), 3u);
      CHECK_EQUAL(s->wait(7).value(), 4u);
      if (step == 0) s->notify(0, 1);
    }
    MPI_Barrier(test.comm);
    if (test.rank == 1) {
      CHECK_EQUAL(s->reset(5), 0u);
      CHECK_EQUAL(s->reset(7), 0u);
      s->mine()[1] = 0;
    }
    MPI_Barrier(test.comm);
    if (test.rank == 1) away.of_rank_1();
    if (test.rank == 0) {
      away.begins();
      auto before = s->fetch_add(1, 1, 5, 0.0);
      away.ends();
      if (!before) before = s->fetch_add(1, 1, 5);
      CHECK_EQUAL(before.value(), 0u);
      CHECK_EQUAL(s->fetch_add(1, 1, 5, 600.0).value(), 5u);
    }
    MPI_Barrier(test.comm);
    if (test.rank == 1) away.of_rank_1();
    if (test.rank == 0) {
      away.begins();
      auto before = s->compare_swap(1, 1, 10, 7, 0.0);
      away.ends();
      if (!before) before = s->compare_swap(1, 1, 10, 7);
      CHECK_EQUAL(before.value(), 10u);
      CHECK_EQUAL(s->compare_swap(1, 1, 10, 8, 600.0).value(), 7u);
    }
    MPI_Barrier(test.comm);
  });
}

WHERRY_TEST(what_notifies_after_its_data_comes_back_in_time, ranks(2, 3).not_simulated("real time must pass")) {
  absence away(test.comm);
  const setting counted("stats", "1", "0");
  for_some_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t n = 30'000;
    made_segment<std::uint64_t> s(comm, kind, n);
    for (const bool lists : {false, true}) {
      const std::vector<std::uint64_t> data(n, lists ? 8 : 7);
      std::vector<std::uint64_t> back(n);
      const auto half = std::as_bytes(std::span(data)).first(n * 4);
      MPI_Barrier(test.comm);
      if (test.rank == 1) away.of_rank_1();
      if (test.rank == 0) {
        away.begins();
        const wherry::channels::segment_write writes[] = {{0, half}, {n * 4, half}};
        repeat(away, [&](double seconds) {
          return lists ? s->bytes().write_notify(1, writes, 5, 3, seconds) : s->write_notify(1, 0, data, 5, 3, seconds);
        });
      }
      if (test.rank == 1) CHECK_EQUAL(s->wait(5).value(), 3u);
      if (test.rank == 1) CHECK_EQUAL(std::vector(s->mine().begin(), s->mine().end()), data);
      MPI_Barrier(test.comm);
      if (test.rank == 1) away.of_rank_1();
      if (test.rank == 0) {
        away.begins();
        const auto bytes = std::as_writable_bytes(std::span(back));
        const wherry::channels::segment_read reads[] = {{0, bytes.first(n * 4)}, {n * 4, bytes.subspan(n * 4)}};
        repeat(away, [&](double seconds) {
          return lists ? s->bytes().read_notify(1, reads, 6, 4, seconds) : s->read_notify(1, 0, back, 6, 4, seconds);
        });
        CHECK_EQUAL(s->reset(6), 4u);
        CHECK_EQUAL(back, data);
        const auto moved = s->statistics();  // once, however often the call was made
        CHECK_EQUAL(moved.bytes_sent, (lists ? 2 : 1) * n * 8);
        CHECK_EQUAL(moved.bytes_received, moved.bytes_sent);
      }
      MPI_Barrier(test.comm);
    }
  });
}

WHERRY_TEST(atomics_that_wait_for_the_target_are_done_once, ranks(2, 3).not_simulated("real time must pass")) {
  absence away(test.comm);
  for_some_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> s(comm, kind, 4);
    MPI_Barrier(test.comm);
    if (test.rank == 1) away.of_rank_1();
    if (test.rank == 0) {
      away.begins();
      std::uint64_t before = 99;
      for (std::uint64_t i = 0; i < 3; ++i) {
        repeat(away, [&](double seconds) {
          const auto found = s->fetch_add(1, 1, 5, seconds);
          if (found) before = *found;
          return found.has_value();
        });
        CHECK_EQUAL(before, 5 * i);
      }
      repeat(away, [&](double seconds) {
        const auto found = s->compare_swap(1, 1, 15, 4, seconds);
        if (found) before = *found;
        return found.has_value();
      });
      CHECK_EQUAL(before, 15u);
      CHECK_EQUAL(s->fetch_add(1, 1, 0), 4u);
    }
    MPI_Barrier(test.comm);
  });
}
