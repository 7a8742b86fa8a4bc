// Segments: what is written arrives, in every kind of memory, within nodes and between them; lists, queues, atomics.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "wherry/core/node_arena.hpp"
#include "wherry/notify/segment.hpp"

#include "memory_kinds.hpp"

using namespace wherry_test;

namespace {

// What rank `from` writes to `at` of rank `to` in this round.
std::uint32_t expected(std::uint64_t seed, int round, int from, int to, std::size_t at) {
  return static_cast<std::uint32_t>(hash(seed, round, from, to, at)) | 1;
}

template <class Body> bool is_refused(Body&& body) {
  try {
    body();
  } catch (const wherry::error& problem) {
    return problem.kind() == wherry::error_kind::argument;
  }
  return false;
}

}  // namespace

WHERRY_TEST(a_ring_of_notified_writes, ranks(1, 2, 3, 4, 8)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t n = 100;
    made_segment<double> ring(comm, kind, 2 * n);
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    std::vector<double> mine(n);
    for (int round = 1; round <= 6; ++round) {
      const std::size_t half = round % 2 == 0 ? 0 : n;
      for (std::size_t i = 0; i < n; ++i) mine[i] = round + 1000.0 * test.rank + 1e-3 * static_cast<double>(i);
      ring->write_notify(next, half, mine, round % 2, static_cast<std::uint32_t>(round));
      CHECK_EQUAL(ring->wait(round % 2).value(), static_cast<std::uint32_t>(round));
      for (std::size_t i = 0; i < n; ++i)
        CHECK_EQUAL((*ring)[half + i], round + 1000.0 * before + 1e-3 * static_cast<double>(i));
      // Before this half is written again the reader says that it is through.
      ring->notify(before, 2 + round % 2);
      ring->wait(2 + round % 2);
    }
    CHECK_EQUAL(ring->size_of(next), 2 * n);
  });
}

// Who finds another thread at the same rank's memory need not wait for it.
WHERRY_TEST(threads_write_long_data_to_one_rank, ranks(1, 2, 3)) {
  int level = 0;
  MPI_Query_thread(&level);
  if (level != MPI_THREAD_MULTIPLE) test.skip("this MPI gives no MPI_THREAD_MULTIPLE");
  constexpr int threads = 3, rounds = 100;
  constexpr std::size_t length = 5000;
  made_segment<std::uint32_t> s(test.comm, memory_kind::ours, threads * length);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  std::vector<int> wrong(threads, 0);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      const auto at = static_cast<std::size_t>(t) * length;
      for (int round = 1; round <= rounds; ++round) {
        const auto is = [&](int from) { return expected(test.seed, round, from, t, 0); };
        s->write_notify(next, at, std::vector(length, is(test.rank)), 2 * t, 1);
        s->wait(2 * t);
        for (const auto one : s->mine().subspan(at, length)) wrong[static_cast<std::size_t>(t)] += one != is(before);
        s->notify(before, 2 * t + 1);
        s->wait(2 * t + 1);
      }
    });
  for (auto& thread : all) thread.join();
  for (const int count : wrong) CHECK_EQUAL(count, 0);
  MPI_Barrier(test.comm);
}

// Every rank writes pieces of every rank's memory; a slot a pair, so that a plain model knows all of it.
WHERRY_TEST(storms_of_writes_and_reads, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for_each_case(test, 12, [&](random_case& one) {
    const auto comm = nodes.pick(one.random);
    const auto kind = all_kinds[one.random.between(0, std::ssize(all_kinds) - 1)];
    const auto slot = static_cast<std::size_t>(one.random.one_of({1, 2, 7, 64, 1000, 20'000}));
    const auto seed = one.random.next();
    const int ranks = test.size, rounds = 4;
    const auto all = slot * static_cast<std::size_t>(ranks);
    made_segment<std::uint32_t> storm(comm, kind, all, 3 * ranks + 1);
    std::vector<std::uint32_t> model(all, 0), out(all), in(all);
    std::vector<std::uint32_t> there(all, 0);  // what this rank has written to each of the others
    wherry::segment_queue queue;
    for (int round = 1; round <= rounds; ++round) {
      // The same numbers on all ranks, drawn for all pairs, so that each knows what comes to it.
      struct piece {
        std::size_t first, count;
        int way;
      };
      std::vector<std::vector<piece>> pieces(static_cast<std::size_t>(ranks * ranks));
      for (auto& list : pieces)
        for (int i = one.random.between(0, 3); i > 0; --i) {
          const auto first = static_cast<std::size_t>(one.random.next() % slot);
          list.push_back(
              {first, static_cast<std::size_t>(one.random.next() % (slot - first + 1)), one.random.between(0, 2)});
        }
      const auto list_of = [&](int from, int to) -> const std::vector<piece>& {
        return pieces[static_cast<std::size_t>(from * ranks + to)];
      };
      for (int turn = 0; turn < ranks; ++turn) {
        const int to = (test.rank + turn) % ranks;
        const auto mine = slot * static_cast<std::size_t>(test.rank);
        auto* const staged = out.data() + slot * static_cast<std::size_t>(to);
        for (std::size_t i = 0; i < slot; ++i) staged[i] = expected(seed, round, test.rank, to, i);
        std::vector<wherry::channels::segment_write> later;
        for (const auto& p : list_of(test.rank, to)) {
          const std::span<const std::uint32_t> data(staged + p.first, p.count);
          std::ranges::copy(data,
                            there.begin() + static_cast<std::ptrdiff_t>(slot * static_cast<std::size_t>(to) + p.first));
          if (p.way == 0) storm->write(to, mine + p.first, data);
          if (p.way == 1) storm->write(to, mine + p.first, data, &queue);
          if (p.way == 2) later.push_back({(mine + p.first) * 4, std::as_bytes(data)});
        }
        storm->bytes().write_notify(to, later, test.rank, static_cast<std::uint32_t>(round));
      }
      for (int come = 0; come < ranks; ++come) {
        const int from = storm->wait_some(0, ranks).value();
        CHECK_EQUAL(storm->reset(from), static_cast<std::uint32_t>(round));
        for (const auto& p : list_of(from, test.rank))
          for (std::size_t i = p.first; i < p.first + p.count; ++i)
            model[slot * static_cast<std::size_t>(from) + i] = expected(seed, round, from, test.rank, i);
      }
      CHECK(std::ranges::equal(storm->mine(), model));
      queue.wait();
      CHECK_EQUAL(queue.size(), 0u);
      // All have what was written to them: now anybody may read it, until all have.
      const auto meet = [&](int step) {
        for (int to = 0; to < ranks; ++to) storm->notify(to, step * ranks + test.rank);
        for (int from = 0; from < ranks; ++from) storm->wait(step * ranks + from);
      };
      meet(1);
      const int from = one.random.between(0, ranks - 1);
      for (std::size_t i = 0; i < slot; ++i) in[i] = 0;
      const auto theirs = slot * static_cast<std::size_t>(test.rank);
      if (one.random.chance(50)) {
        storm->read_notify(from, theirs, std::span(in).first(slot), 3 * ranks, 7);
        CHECK_EQUAL(storm->wait(3 * ranks).value(), 7u);
      } else {
        storm->read(from, theirs, std::span(in).first(slot));
        storm->flush();
      }
      for (std::size_t i = 0; i < slot; ++i) CHECK_EQUAL(in[i], there[slot * static_cast<std::size_t>(from) + i]);
      meet(2);
    }
  });
}

WHERRY_TEST(parts_may_be_of_different_size_or_none, ranks(1, 2, 3, 4)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    const auto size_of = [](int rank) { return static_cast<std::size_t>(rank % 3 == 0 ? 0 : 10 * rank); };
    made_segment<int> parts(comm, kind, size_of(test.rank));
    const int next = (test.rank + 1) % test.size;
    for (int r = 0; r < test.size; ++r) CHECK_EQUAL(parts->size_of(r), size_of(r));
    std::vector<int> data(size_of(next), test.rank + 1);
    parts->write_notify(next, 0, data, 5);
    parts->wait(5);
    for (const int value : parts->mine()) CHECK_EQUAL(value, (test.rank + test.size - 1) % test.size + 1);
    const int before = (test.rank + test.size - 1) % test.size;
    parts->notify(before, 6);
    parts->wait(6);
  });
}

WHERRY_TEST(counters_and_swaps_are_atomic, ranks(1, 2, 3, 4, 8)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    made_segment<std::uint64_t> words(comm, kind, 4);
    constexpr int rounds = 50;
    std::vector<std::uint64_t> seen;
    for (int i = 0; i < rounds; ++i) seen.push_back(words->fetch_add(test.size - 1, 1, 3));
    CHECK(std::ranges::is_sorted(seen));
    std::vector<std::uint64_t> all(seen.size() * static_cast<std::size_t>(test.size));
    MPI_Allgather(seen.data(), rounds, MPI_UINT64_T, all.data(), rounds, MPI_UINT64_T, test.comm);
    std::ranges::sort(all);
    for (std::size_t i = 0; i < all.size(); ++i) CHECK_EQUAL(all[i], 3 * i);  // nobody's was lost, none came twice
    // A lock by compare and swap, over a counter that is none.
    for (int i = 0; i < 10; ++i) {
      while (words->compare_swap(0, 2, 0, static_cast<std::uint64_t>(test.rank) + 1) != 0) {
      }
      std::uint64_t count = 0;
      words->read(0, 3, std::span(&count, 1));
      words->flush();
      ++count;
      words->write(0, 3, std::span<const std::uint64_t>(&count, 1));
      words->flush();
      CHECK_EQUAL(words->compare_swap(0, 2, static_cast<std::uint64_t>(test.rank) + 1, 0),
                  static_cast<std::uint64_t>(test.rank) + 1);
    }
    MPI_Barrier(test.comm);
    std::uint64_t count = 0;
    words->read(0, 3, std::span(&count, 1));
    words->flush();
    CHECK_EQUAL(count, 10u * static_cast<std::uint64_t>(test.size));
    MPI_Barrier(test.comm);
  });
}

WHERRY_TEST(a_neighbour_reads_in_place, ranks(1, 2, 3, 4)) {
  wherry::segment<int> mine(test.comm, 10);
  const int next = (test.rank + 1) % test.size;
  for (auto& value : mine.mine()) value = 7 * test.rank;
  mine.notify((test.rank + test.size - 1) % test.size, 0);
  mine.wait(0);
  const wherry::communicator comm(test.comm);
  const bool shares_memory = comm.arena() != nullptr && std::ranges::count(comm.node_ranks(), next) == 1;
  CHECK_EQUAL(mine.memory_of(next) != nullptr, shares_memory);
  if (mine.memory_of(next) != nullptr)
    for (int i = 0; i < 10; ++i) CHECK_EQUAL(mine.memory_of(next)[i], 7 * next);
  MPI_Barrier(test.comm);
}

// Long data is copied out while it comes; a call that its limit has cut short is repeated.
WHERRY_TEST(data_in_pieces_is_copied_out, ranks(1, 2, 3, 4)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t most = 70'001;
    made_segment<std::uint32_t> pieces(comm, kind, most);
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    int round = 0;
    // About a piece, of 8 KiB, from which on data is written past the caches.
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2047}, std::size_t{2048}, std::size_t{2049},
                                std::size_t{8193}, most - 7}) {
      ++round;
      std::vector<std::uint32_t> mine(n), come(n, 0);
      for (std::size_t i = 0; i < n; ++i) mine[i] = expected(test.seed, round, test.rank, next, i);
      if (test.rank == 0 && round > 1 && test.size > 1) CHECK(!pieces->copy_out(3, come, 1, 0.0));
      MPI_Barrier(test.comm);
      pieces->write_in_pieces(next, 3, mine, 1);
      while (!pieces->copy_out(3, come, 1, 1e-5)) {
      }
      for (std::size_t i = 0; i < n; ++i) CHECK_EQUAL(come[i], expected(test.seed, round, before, test.rank, i));
      CHECK_EQUAL(pieces->bytes().value(1), 0u);
      pieces->notify(before, 2);
      pieces->wait(2);
    }
  });
}

// Of five pieces two have come when the reader's time is up. It may call again, or forget what it has and take the
// notification when all is there; the writer goes on alike, and so does what comes next.
WHERRY_TEST(a_copy_given_up_half_way_is_repeated_or_forgotten, ranks(1, 2, 3, 4)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr std::size_t piece = 8192 / sizeof(std::uint32_t), n = 5 * piece;
    made_segment<std::uint32_t> pieces(comm, kind, n);
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    for (const bool repeats : {true, false}) {
      const int round = repeats ? 1 : 2;
      std::vector<std::uint32_t> mine(n), come(n, 0);
      for (std::size_t i = 0; i < n; ++i) mine[i] = expected(test.seed, round, test.rank, next, i);
      pieces->write(next, 0, mine);
      pieces->notify(next, 1, 2);
      while (pieces->bytes().value(1) != 2) pieces->wait_some(1, 1, 0.001);
      CHECK(!pieces->copy_out(0, come, 1, 0.0));
      for (std::size_t i = 0; i < n; ++i)
        CHECK_EQUAL(come[i], i < 2 * piece ? expected(test.seed, round, before, test.rank, i) : 0u);
      CHECK_EQUAL(pieces->bytes().value(1), 2u);
      MPI_Barrier(test.comm);
      pieces->notify(next, 1, 5);
      if (repeats) {
        while (!pieces->copy_out(0, come, 1, 1e-5)) {
        }
        for (std::size_t i = 0; i < n; ++i) CHECK_EQUAL(come[i], expected(test.seed, round, before, test.rank, i));
      } else {
        // Not by wait_some, which has what it waits for already; and who looks and never calls MPI hears of no far put.
        for (int found = 0; pieces->bytes().value(1) != 5;)
          MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, test.comm, &found, MPI_STATUS_IGNORE);
        CHECK_EQUAL(pieces->bytes().reset(1), 5u);
      }
      MPI_Barrier(test.comm);
      for (auto& word : mine) word += 1;
      pieces->write_in_pieces(next, 0, mine, 1);
      CHECK(pieces->copy_out(0, come, 1));
      for (std::size_t i = 0; i < n; ++i) CHECK_EQUAL(come[i], expected(test.seed, round, before, test.rank, i) + 1);
      MPI_Barrier(test.comm);
    }
  });
}

// Ludwig, section 4: whoever of the node comes first takes a notification, and each is taken once.
WHERRY_TEST(notifications_are_shared_by_a_node, ranks(1, 2, 3, 4, 8)) {
  for_each_memory(test, [&](MPI_Comm comm, memory_kind kind) {
    constexpr int jobs = 40;
    made_segment<std::uint32_t> work(comm, kind, jobs, jobs);
    wherry::segment<std::uint64_t> counters(comm, 1);
    const auto& ours = work->comm();
    const int host = ours.node_ranks().front();
    // The last rank, of whatever node, gives the first rank of each node its jobs.
    if (test.rank == test.size - 1)
      for (int rank = 0; rank < test.size; ++rank)
        for (std::uint32_t job = 0; job < jobs; ++job)
          work->write_notify(rank, job, std::span<const std::uint32_t>(&job, 1), static_cast<int>(job), job + 1);
    const bool sees_host = host == test.rank || ours.arena() != nullptr;
    std::uint64_t taken = 0;  // a bit a job
    if (sees_host) {
      const auto shared = work->notifications_of(host);
      CHECK_EQUAL(shared.size(), jobs);
      while (counters.fetch_add(host, 0, 0) < jobs) {
        const auto job = shared.wait_some(0, jobs, 0.001);
        const auto value = job ? shared.reset(*job) : 0;
        if (value == 0) continue;  // another one was quicker
        CHECK_EQUAL(value, static_cast<std::uint32_t>(*job) + 1);
        taken |= std::uint64_t{1} << *job;
        counters.fetch_add(host, 0, 1);
      }
    }
    std::vector<std::uint64_t> all(static_cast<std::size_t>(test.size));
    MPI_Allgather(&taken, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, test.comm);
    std::uint64_t of_all = 0;
    int times = 0;
    for (const int rank : ours.node_ranks()) {
      of_all |= all[static_cast<std::size_t>(rank)];
      times += std::popcount(all[static_cast<std::size_t>(rank)]);
    }
    CHECK_EQUAL(of_all, (std::uint64_t{1} << jobs) - 1);
    CHECK_EQUAL(times, jobs);
    for (int rank = 0; rank < test.size; ++rank) {
      if (ours.node_index(rank) >= 0) continue;
      CHECK(is_refused([&] { work->notifications_of(rank); }));
    }
    MPI_Barrier(test.comm);
  });
}

WHERRY_TEST(segments_count_where_somebody_wants_to_know, ranks(1, 2, 3)) {
  const std::vector<int> data(10, 1);
  std::vector<int> come(10);
  const int next = (test.rank + 1) % test.size;
  for (const char* wanted : {"0", "all"}) {
    const setting statistics("stats", wanted, "0");
    wherry::segment<int> s(test.comm, 20);
    s.write_notify(next, 0, data, 0);
    s.wait(0);
    s.write(next, 10, data);
    s.notify((test.rank + test.size - 1) % test.size, 1);
    s.wait(1);
    s.read(next, 10, come);
    s.flush();
    const auto counted = s.statistics();
    const bool counts = std::string_view(wanted) != "0";
    CHECK_EQUAL(counted.exchanges, counts ? 2u : 0u);
    CHECK_EQUAL(counted.bytes_sent, counts ? 80 : 0);
    CHECK_EQUAL(counted.bytes_received, counts ? 40 : 0);
    MPI_Barrier(test.comm);
  }
}

// A pattern's field, the user's own and a segment under one communicator, while messages of the user's go on.
WHERRY_TEST(segments_and_messages_at_the_same_time, ranks(2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list()) {
    made_segment<int> a(comm, memory_kind::ours, 50), b(comm, memory_kind::users, 50);
    const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
    for (int round = 0; round < 20; ++round) {
      int sent = round * 100 + test.rank, received = -1;
      std::array<MPI_Request, 2> requests{};
      MPI_Irecv(&received, 1, MPI_INT, before, 3, test.comm, &requests[0]);
      std::vector<int> data(50, sent);
      a->write_notify(next, 0, data, 0);
      b->write_notify(next, 0, data, 1);
      MPI_Isend(&sent, 1, MPI_INT, next, 3, test.comm, &requests[1]);
      b->wait(1);
      a->wait(0);
      MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
      CHECK_EQUAL(received, round * 100 + before);
      for (int i = 0; i < 50; ++i) {
        CHECK_EQUAL(a->mine()[static_cast<std::size_t>(i)], received);
        CHECK_EQUAL(b->mine()[static_cast<std::size_t>(i)], received);
      }
      MPI_Barrier(test.comm);
    }
  }
}

// Local ends in any order, hundreds of them: neither memory nor windows pile up.
WHERRY_TEST(segments_come_and_go, ranks(1, 2, 3)) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list()) {
    const wherry::communicator ours(comm);
    std::size_t after_ten = 0;
    for (int i = 0; i < 60; ++i) {
      wherry::segment<int> brief(ours, 10'000);
      const int next = (test.rank + 1) % test.size;
      const int value = i;
      brief.write_notify(next, 5, std::span(&value, 1), 0);
      brief.wait(0);
      CHECK_EQUAL(brief[5], i);
      if (i == 10 && ours.arena() != nullptr) after_ten = ours.arena()->used();
    }
    if (ours.arena() != nullptr) CHECK(ours.arena()->used() <= after_ten + 200'000);
  }
}
