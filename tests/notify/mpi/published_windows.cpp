// Published layouts of fields in the user's MPI shared windows.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "wherry/halo/field.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/notify/published_layouts.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"
#include "support/slow_sends.hpp"

using namespace wherry_test;

namespace {

// Doubles of this rank in a window that the node shares, beside such of the others.
class window_array {
 public:
  window_array(MPI_Comm node, std::size_t count) {
    MPI_Win_allocate_shared(static_cast<MPI_Aint>(count * sizeof(double)), sizeof(double), MPI_INFO_NULL, node,
                            static_cast<void*>(&first_), &window_);
  }
  ~window_array() { MPI_Win_free(&window_); }
  window_array(const window_array&) = delete;
  window_array& operator=(const window_array&) = delete;
  operator MPI_Win() const { return window_; }
  double* data() const { return first_; }

 private:
  double* first_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace

// Fields in the user's MPI shared windows are read in place, in turns with others, and with those of our memory.
WHERRY_TEST(published_layouts_in_shared_windows, ranks(1, 2, 3, 4, 8)) {
  const setting all_rows("one_copy_row", "1", "0");
  const node_communicators nodes(test.comm);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(test.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  constexpr std::size_t cells = 300, width = 2, all = cells + 2 * width;
  const auto before = (test.rank + test.size - 1) % test.size, after = (test.rank + 1) % test.size;
  for (const auto comm : nodes.list()) {
    // A part begins anywhere in its window: what comes before it differs from rank to rank.
    const window_array first(node, all + static_cast<std::size_t>(test.rank)), second(node, 3 * all);
    const wherry::process_grid grid(comm, {.periodic = {true}});
    const wherry::view<double, 1> shape(first.data(), {static_cast<wherry::index_t>(all)});
    wherry::field<double, 1> ours(grid.comm(), {static_cast<wherry::index_t>(cells)}, static_cast<int>(width));
    std::vector<double> users(all);
    wherry::halo_exchange exchange(grid, {}, wherry::halo_inside(shape, static_cast<int>(width)));
    wherry::published_layouts layouts(grid.comm(), exchange.schedule(), {.windows = {first, second}});
    const auto has_neighbour = [&](int rank) { return rank != test.rank && grid.comm().node_index(rank) >= 0; };
    if (has_neighbour(before) && has_neighbour(after)) CHECK_EQUAL(layouts.transport(), std::string("read in place"));
    const std::array<double*, 4> arrays{first.data() + test.rank, second.data() + all + 1, ours.data(), users.data()};
    for (std::size_t step = 0; step < 12; ++step) {
      double* const base = arrays[(step + static_cast<std::size_t>(test.rank)) % arrays.size()];
      for (std::size_t i = 0; i < cells; ++i)
        base[width + i] = 1000.0 * static_cast<double>(step) + test.rank + 0.001 * static_cast<double>(i);
      void* const table[] = {base};
      layouts.publish(table);
      layouts.read(table);
      const auto value = [&](int rank, std::size_t i) {
        return 1000.0 * static_cast<double>(step) + rank + 0.001 * static_cast<double>(i);
      };
      for (std::size_t i = 0; i < width; ++i) {
        CHECK_EQUAL(base[i], value(before, cells - width + i));
        CHECK_EQUAL(base[width + cells + i], value(after, i));
      }
      layouts.await_readers();
    }
  }
  MPI_Comm_free(&node);
}

// Windows that are none, or not of the whole node, or forgotten.
WHERRY_TEST(published_layouts_refuse_windows, ranks(1, 2, 3, 4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<double, 1> f(grid.comm(), {30}, 2);
  wherry::halo_exchange exchange(grid, {}, f);
  const auto publish_over = [&](std::vector<MPI_Win> windows) {
    wherry::published_layouts(grid.comm(), exchange.schedule(), {.windows = std::move(windows)});
  };
  all_throw(test, "none", wherry::error_kind::argument, "window 0 is not a window made by MPI_Win_allocate_shared",
            [&] { publish_over({MPI_WIN_NULL}); });
  const window_array of_oneself(MPI_COMM_SELF, 10);
  if (test.size == 1) return publish_over({of_oneself});
  if (std::ssize(grid.comm().node_ranks()) == test.size)
    all_throw(test, "alone", wherry::error_kind::argument, "window 0 has no part of rank",
              [&] { publish_over({of_oneself}); });
  const window_array of_all(test.comm, 10);
  all_throw(test, "forgotten", wherry::error_kind::mismatch, "how many windows there are",
            [&] { publish_over(test.rank == 0 ? std::vector<MPI_Win>{} : std::vector<MPI_Win>{of_all}); });
}

namespace {

// Two fields of a ring, of which the published one may lie anywhere.
struct two_rows {
  static constexpr std::size_t cells = 300, width = 2, all = cells + 2 * width;

  explicit two_rows(const context& test)
      : rank(test.rank), ranks(test.size), grid(test.comm, {.periodic = {true}}), of_users(all) {}

  static double value(int of_rank, std::size_t i) { return 1000.0 * of_rank + static_cast<double>(i); }
  void fill(double* row) const {
    for (std::size_t i = 0; i < cells; ++i) row[width + i] = value(rank, i);
  }
  void require_halo(const double* row, double more) const {
    const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
    for (std::size_t i = 0; i < width; ++i) {
      CHECK_EQUAL(row[i], value(before, cells - width + i) + more);
      CHECK_EQUAL(row[width + cells + i], value(after, i) + more);
    }
  }

  int rank, ranks;
  wherry::process_grid grid;
  std::vector<double> of_users;
};

}  // namespace

// What is read in place is what is there when it is read, here after it was published; what was packed is what was
// there before, each field by itself.
WHERRY_TEST(what_lies_in_windows_is_read_where_it_lies, ranks(2, 3, 4)) {
  const setting all_rows("one_copy_row", "1", "0");
  two_rows r(test);
  if (std::ssize(r.grid.comm().node_ranks()) != test.size) test.skip("not all ranks are on one node");
  const window_array in_window(test.comm, two_rows::all);
  std::vector<double> elsewhere(two_rows::all);
  const wherry::view<double, 1> shape(in_window.data(), {static_cast<wherry::index_t>(two_rows::all)});
  const auto halo = wherry::halo_inside(shape, static_cast<int>(two_rows::width));
  wherry::halo_exchange exchange(r.grid, {}, halo, halo);
  wherry::published_layouts layouts(r.grid.comm(), exchange.schedule(), {.windows = {in_window}});
  for (const bool second_too : {false, true}) {
    const window_array second(test.comm, two_rows::all);  // not named: nobody looks there
    double* const rows[] = {in_window.data(), second_too ? second.data() : r.of_users.data()};
    for (double* const row : rows) r.fill(row);
    void* const table[] = {rows[0], rows[1]};
    layouts.publish(table);
    MPI_Barrier(test.comm);
    for (double* const row : rows)
      for (std::size_t i = 0; i < two_rows::cells; ++i) row[two_rows::width + i] += 0.5;
    MPI_Barrier(test.comm);
    layouts.read(table);
    r.require_halo(rows[0], 0.5);
    r.require_halo(rows[1], 0);
    layouts.await_readers();
  }
}

// A neighbour publishes as soon as it knows where; the slots that it writes to must be ready by then.
WHERRY_TEST(what_is_published_during_the_set_up_arrives, ranks(2, 3, 4, 8)) {
  const setting all_rows("one_copy_row", "1", "0");
  two_rows r(test);
  wherry::field<double, 1> in_arena(r.grid.comm(), {two_rows::cells}, static_cast<int>(two_rows::width));
  wherry::halo_exchange exchange(r.grid, {}, in_arena);
  for (const int late : {0, 1}) {
    for (const bool staged : {false, true}) {
      const slow_sends slow(test.rank % 2 == late ? 3000 : 0);
      wherry::published_layouts layouts(r.grid.comm(), exchange.schedule());
      double* const row = staged ? r.of_users.data() : in_arena.data();
      std::fill_n(row, two_rows::all, -1.0);
      r.fill(row);
      void* const table[] = {row};
      layouts.publish(table);
      layouts.read(table);
      r.require_halo(row, 0);
      layouts.await_readers();
    }
  }
}

// Named in another order by one rank they are not the same, and nothing is read where it does not lie.
WHERRY_TEST(windows_in_another_order, ranks(2, 3, 4)) {
  const setting all_rows("one_copy_row", "1", "0");
  two_rows r(test);
  const window_array large(test.comm, 2 * two_rows::all), small(test.comm, two_rows::all);
  const wherry::view<double, 1> shape(large.data(), {static_cast<wherry::index_t>(two_rows::all)});
  wherry::halo_exchange exchange(r.grid, {}, wherry::halo_inside(shape, static_cast<int>(two_rows::width)));
  const auto windows = test.rank == 0 ? std::vector<MPI_Win>{small, large} : std::vector<MPI_Win>{large, small};
  wherry::published_layouts layouts(r.grid.comm(), exchange.schedule(), {.windows = windows});
  double* const row = test.rank % 2 == 0 ? large.data() : small.data();
  r.fill(row);
  void* const table[] = {row};
  layouts.publish(table);
  layouts.read(table);
  r.require_halo(row, 0);
  layouts.await_readers();
}
