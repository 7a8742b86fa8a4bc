// Published layouts: whatever an exchange brings, they bring, read in place or not, across swaps of the arrays.
#include "wherry/notify/published_layouts.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include "wherry/halo/field.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/halo/rooted.hpp"
#include "wherry/notify/segment.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

// All bytes of a field, its halo too.
template <class T, int N> std::vector<T> contents(const wherry::field<T, N>& f) {
  std::vector<T> all;
  wherry::for_each_point(f.whole(), [&](const auto& p) { all.push_back(f[p]); });
  return all;
}

template <class T, int N> void fill(wherry::field<T, N>& f, std::uint64_t seed, int rank, int step) {
  std::uint64_t place = 0;
  wherry::for_each_point(f.whole(),
                         [&](const auto& p) { f[p] = static_cast<T>(hash(seed, rank, step, place++) % 100'000); });
}

template <class T, int N> void compare_with_exchange(const context& test, MPI_Comm comm, random_case& one) {
  wherry::point<N> cells;
  for (auto& c : cells) c = one.random.between(3, 12);
  cells[N - 1] = one.random.one_of({3, 40, 300});
  const int width = one.random.between(1, 3);
  std::vector<bool> periodic;
  for (int d = 0; d < N; ++d) periodic.push_back(one.random.chance(70));
  const wherry::process_grid grid(comm, {.periodic = periodic});
  wherry::field<T, N> a(grid.comm(), cells, width), b(grid.comm(), cells, width), wanted(grid.comm(), cells, width);
  wherry::halo_exchange exchange(grid, {.carry = {.transport = "two_sided"}}, wanted);
  wherry::published_layouts layouts(grid.comm(), exchange.schedule());
  const auto seed = one.random.next();
  const int steps = one.random.between(3, 8), late = one.random.between(0, test.size - 1);
  std::array<wherry::field<T, N>*, 2> arrays{&a, &b};
  for (int step = 0; step < steps; ++step) {
    auto& now = *arrays[static_cast<std::size_t>(step % 2)];
    fill(now, seed, test.rank, step);
    fill(wanted, seed, test.rank, step);
    exchange(wanted);
    void* const table[] = {now.data()};
    layouts.publish(table);
    if (test.rank == late && one.random.chance(50)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    layouts.read(table);
    if (fault(contents(now) != contents(wanted))) FAIL(one.title + ": step " + std::to_string(step) + " differs");
    layouts.await_readers();
  }
}

}  // namespace

WHERRY_TEST(published_layouts_bring_what_an_exchange_brings, ranks(1, 2, 3, 4, 8)) {
  const node_communicators nodes(test.comm);
  for (const char* row : {"0", "1"}) {  // ours, and all rows in place
    const setting in_place("one_copy_row", row, "0");
    for_each_case(test, 20, [&](random_case& one) {
      const auto comm = nodes.pick(one.random);
      switch (one.random.between(0, 2)) {
        case 0:
          compare_with_exchange<double, 1>(test, comm, one);
          break;
        case 1:
          compare_with_exchange<float, 2>(test, comm, one);
          break;
        default:
          compare_with_exchange<double, 3>(test, comm, one);
      }
    });
  }
}

// Memory that others do not see goes by notified writes, and may change from step to step.
WHERRY_TEST(published_layouts_of_the_users_own_arrays, ranks(1, 2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list()) {
    const wherry::process_grid grid(comm, {.periodic = {true}});
    wherry::field<double, 1> shared(grid.comm(), {300}, 2);
    wherry::halo_exchange exchange(grid, {}, shared);
    wherry::published_layouts layouts(grid.comm(), exchange.schedule());
    std::vector<double> own(304);
    const int before = (test.rank + test.size - 1) % test.size;
    for (int step = 0; step < 6; ++step) {
      double* const all = step % 2 == 0 ? own.data() : shared.data();
      double* const base = all + 2;
      for (int i = 0; i < 300; ++i) base[i] = 1000.0 * test.rank + step;
      void* const table[] = {all};
      layouts.publish(table);
      layouts.read(table);
      CHECK_EQUAL(base[-1], 1000.0 * before + step);
      layouts.await_readers();
    }
  }
}

WHERRY_TEST(published_layouts_say_what_they_have_moved, ranks(1, 2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<double, 1> f(grid.comm(), {300}, 2);
  wherry::halo_exchange exchange(grid, {}, f);
  wherry::published_layouts layouts(grid.comm(), exchange.schedule());
  void* const table[] = {f.data()};
  for (int step = 0; step < 3; ++step) {
    layouts.publish(table);
    layouts.read(table);
    layouts.await_readers();
  }
  const auto counted = layouts.statistics();
  CHECK_EQUAL(counted.exchanges, 3u);
  const std::int64_t halo = 3 * 4 * static_cast<std::int64_t>(sizeof(double));
  CHECK_EQUAL(counted.bytes_sent, test.size > 1 ? halo : 0);
  CHECK_EQUAL(counted.bytes_received, test.size > 1 ? halo : 0);
  CHECK_EQUAL(counted.bytes_copied, test.size > 1 ? 0 : halo);
  CHECK_EQUAL(layouts.transport().empty(), test.size == 1);
}

// Waiting and copying are told apart: rank 0 is late, and the others have waited for it.
WHERRY_TEST(published_layouts_say_how_long_they_have_waited_and_copied,
            ranks(2, 3).not_simulated("real time must pass")) {
  const setting statistics("stats", "all", "0");
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<double, 1> f(grid.comm(), {30'000}, 10'000);
  wherry::halo_exchange exchange(grid, {}, f);
  wherry::published_layouts layouts(grid.comm(), exchange.schedule());
  void* const table[] = {f.data()};
  for (int step = 0; step < 3; ++step) {
    if (test.rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(40));
    layouts.publish(table);
    layouts.read(table);
    layouts.await_readers();
  }
  const auto counted = layouts.statistics();
  CHECK(counted.seconds_copying > 0);
  if (test.rank == 1) CHECK(counted.seconds_waiting > 0.08);
  CHECK(counted.seconds_waiting >= 0);
}

// Who limits a wait himself gets false, and the same call goes on; nothing is lost, nor read or published twice.
WHERRY_TEST(published_layouts_wait_so_many_seconds, ranks(2, 3, 4).not_simulated("real time must pass")) {
  for (const bool by_copies : {false, true}) {  // read in place, or written
    const setting row("one_copy_row", by_copies ? "1000000000" : "1", "0");
    const wherry::process_grid grid(test.comm, {.periodic = {true}});
    wherry::field<double, 1> f(grid.comm(), {300}, 2), g(grid.comm(), {300}, 2);
    wherry::halo_exchange exchange(grid, {}, f);
    wherry::published_layouts layouts(grid.comm(), exchange.schedule());
    const bool is_late = test.rank == 0, is_beside_it = test.rank == 1 || test.rank == test.size - 1;
    const auto before = (test.rank + test.size - 1) % test.size;
    const auto meet = [&] { MPI_Barrier(test.comm); };
    std::array<wherry::field<double, 1>*, 2> arrays{&f, &g};
    for (int step = 0; step < 4; ++step) {
      auto& now = *arrays[static_cast<std::size_t>(step % 2)];
      void* const table[] = {now.data()};
      for (int i = 0; i < 300; ++i) now[{i}] = 1000.0 * step + test.rank + 0.001 * i;
      if (is_late) meet();  // the others have looked for it in vain
      CHECK(layouts.publish(table));
      if (!is_late) {
        for (const double seconds : {0.0, 0.001, 0.02})
          if (is_beside_it) CHECK(!layouts.read(table, seconds));
        if (is_beside_it) CHECK(!layouts.await_readers(0.001));
        meet();
      }
      while (!layouts.read(table, step % 2 == 0 ? 0.0 : 0.5)) {
      }
      CHECK_EQUAL((now[{-1}]), 1000.0 * step + before + 0.299);
      while (!layouts.await_readers(0.0)) {
      }
    }
    meet();
    if (is_late) {  // two publications are ahead of readers, and the third one is not
      void* const table[] = {f.data()};
      CHECK(layouts.publish(table, 0.5));
      CHECK(layouts.publish(table, 0.5));
      CHECK(!layouts.publish(table, 0.0));
      CHECK(!layouts.publish(table, 0.01));
      meet();
      while (!layouts.publish(table, 0.01)) {
      }
    } else {
      meet();
      void* const table[] = {f.data()};
      for (int i = 0; i < 3; ++i) layouts.publish(table), layouts.read(table);
    }
    if (is_late) {
      void* const table[] = {f.data()};
      for (int i = 0; i < 3; ++i) layouts.read(table);
    }
    layouts.await_readers();
    CHECK_EQUAL(layouts.statistics().exchanges, 7u);
  }
}

// Memory that the node shares is known to be such, also behind a view that says nothing of it.
WHERRY_TEST(views_of_our_memory_are_read_in_place, ranks(2, 3)) {
  const setting all_rows("one_copy_row", "1", "0");
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<double, 1> f(grid.comm(), {300}, 2);
  const wherry::view<double, 1> bare(f.data(), {304});
  wherry::halo_exchange exchange(grid, {}, wherry::halo_inside(bare, 2));
  const wherry::published_layouts layouts(grid.comm(), exchange.schedule());
  const bool all_share_memory = grid.comm().arena() != nullptr && std::ssize(grid.comm().node_ranks()) == test.size;
  if (!all_share_memory) test.skip("not all ranks are on one node, or it has no node-shared memory");
  CHECK(layouts.explain().find("0 of 0 bytes by notified write") != std::string::npos);
}

// A rank alone broadcasts to nobody: such a plan has no stages.
WHERRY_TEST(published_layouts_of_plans_without_stages, ranks(1)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  std::vector<double> row(10, 3.0);
  const wherry::bcast_exchange nothing(grid, wherry::view<double, 1>(std::span<double>(row)));
  wherry::published_layouts layouts(grid.comm(), nothing.schedule());
  void* const table[] = {row.data()};
  layouts.publish(table);
  layouts.read(table);
  layouts.await_readers();
  CHECK(layouts.explain().empty() && layouts.transport().empty());
}

WHERRY_TEST(published_layouts_refuse_what_they_cannot, ranks(1, 2, 3, 4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<double, 1> f(grid.comm(), {30}, 2);
  wherry::halo_exchange exchange(grid, {}, f);
  wherry::published_layouts layouts(grid.comm(), exchange.schedule());
  void* const none[] = {nullptr};
  all_throw(test, "a field of null", wherry::error_kind::argument, "null address for field 0",
            [&] { layouts.publish(none); });
  all_throw(test, "no fields", wherry::error_kind::argument, "'fields' has 0 addresses", [&] { layouts.read({}); });
  wherry::field<double, 2> g(grid.comm(), {30, 30}, 2);
  const wherry::process_grid two(test.comm, wherry::process_grid_options{.periodic = {true, true}});
  wherry::halo_exchange staged(two, {.order = wherry::halo_order::by_dimension}, g);
  if (test.size == 4)  // 2 by 2: else all messages are along one dimension
    all_throw(test, "stages", wherry::error_kind::argument, "messages in several stages",
              [&] { wherry::published_layouts(two.comm(), staged.schedule()); });
}

// A neighbour that has not published is named; when it has, the same call goes on.
WHERRY_TEST(a_late_publication_is_named_and_read_later, ranks(2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list()) {
    const wherry::process_grid grid(comm, {.periodic = {true}});
    wherry::field<double, 1> f(grid.comm(), {300}, 2);
    wherry::halo_exchange exchange(grid, {}, f);
    wherry::published_layouts layouts(grid.comm(), exchange.schedule());
    const bool late = test.rank == 0;
    for (int i = 0; i < 300; ++i) f(i) = test.rank;
    void* const table[] = {f.data()};
    if (!late) layouts.publish(table);
    const bool beside = test.rank == 1 || test.rank == test.size - 1;
    if (beside && !late) {
      const setting brief("timeout", "0.05", "0");
      try {
        layouts.read(table);
        FAIL("read what was not published");
      } catch (const wherry::error& problem) {
        CHECK(problem.kind() == wherry::error_kind::timeout);
        // Others have published, but on a busy machine their notifications may need longer than the limit.
        const auto missing = problem.peers();
        CHECK(std::ranges::find(missing, 0) != missing.end());
      }
    }
    MPI_Barrier(test.comm);
    if (late) layouts.publish(table);
    layouts.read(table);
    CHECK_EQUAL(f(-1), (test.rank + test.size - 1) % test.size);
    CHECK_EQUAL(f(300), (test.rank + 1) % test.size);
    layouts.await_readers();
    MPI_Barrier(test.comm);
  }
}

// A reader that does not come is named; when it has come, the same call goes on.
WHERRY_TEST(a_reader_that_does_not_come_is_named, ranks(2, 3, 4)) {
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list()) {
    const wherry::process_grid grid(comm, {.periodic = {true}});
    wherry::field<double, 1> f(grid.comm(), {300}, 2);
    wherry::halo_exchange exchange(grid, {}, f);
    wherry::published_layouts layouts(grid.comm(), exchange.schedule());
    void* const table[] = {f.data()};
    layouts.publish(table);
    const bool beside = test.rank == 1 || test.rank == test.size - 1;
    if (test.rank != 0) layouts.read(table);
    if (beside) {
      const setting brief("timeout", "0.05", "0");
      try {
        layouts.await_readers();
        FAIL("rank 0 has not read");
      } catch (const wherry::error& problem) {
        CHECK(problem.kind() == wherry::error_kind::timeout);
        CHECK_EQUAL(problem.peers(), std::vector<int>{0});
      }
    }
    MPI_Barrier(test.comm);
    if (test.rank == 0) layouts.read(table);
    layouts.await_readers();
    MPI_Barrier(test.comm);
  }
}

// Who throws between `publish` and `await_readers` takes its arrays with it: nobody reads them any more.
WHERRY_TEST(layouts_that_go_unread_are_withdrawn, ranks(2, 3, 4)) {
  const setting all_rows("one_copy_row", "1", "0");
  const node_communicators nodes(test.comm);
  for (const auto comm : nodes.list())
    for (const int publications : {1, 2}) {
      const wherry::process_grid grid(comm, {.periodic = {true}});
      wherry::field<double, 1> f(grid.comm(), {300}, 2);
      wherry::halo_exchange exchange(grid, {}, f);
      std::optional<wherry::published_layouts> layouts(std::in_place, grid.comm(), exchange.schedule());
      void* const table[] = {f.data()};
      for (int i = 0; i < 300; ++i) f(i) = test.rank + 1;
      if (test.rank == 0) {
        try {
          auto going = std::move(*layouts);
          for (int i = 0; i < publications; ++i) going.publish(table);  // as far as it gets without readers
          throw std::runtime_error("the user's");
        } catch (const std::runtime_error&) {
          for (int i = 0; i < 300; ++i) f(i) = -7;
        }
      }
      MPI_Barrier(test.comm);
      if (test.rank != 0) {
        layouts->publish(table);
        const bool beside = test.rank == 1 || test.rank == test.size - 1;
        const bool in_place = beside && grid.comm().node_index(0) >= 0 && grid.comm().arena() != nullptr;
        try {
          layouts->read(table);
          CHECK(!in_place);
        } catch (const wherry::error& problem) {
          CHECK(in_place && problem.kind() == wherry::error_kind::state);
          CHECK_EQUAL(problem.peers(), std::vector<int>{0});
        }
        for (const int halo : {-2, -1, 300, 301}) CHECK(f(halo) != -7);
      }
      MPI_Barrier(test.comm);
      layouts.reset();
      MPI_Barrier(test.comm);
    }
}
