// The typed front door: fields of the library's and of the user's, double buffers, different types together.
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

struct sample {
  float pressure;
  std::int16_t kind, unused;
  bool operator==(const sample&) const = default;
};

// One number for each cell of the whole domain, in any type.
index_t number_of(index_t i, index_t j, index_t k, int which) { return ((k * 37 + j) * 41 + i) * 5 + which; }
template <class T> T value(index_t number) {
  if constexpr (std::is_same_v<T, sample>)
    return {static_cast<float>(number), static_cast<std::int16_t>(number % 1000), 7};
  else
    return static_cast<T>(number);
}

// Three-dimensional fields on a torus, every rank with the same core.
struct torus {
  wherry::process_grid grid;
  wherry::point<3> core{4, 3, 5}, first{}, cells{};

  explicit torus(MPI_Comm comm) : grid(comm, {.periodic = {true, true, true}}) {
    const auto at = grid.coordinates(grid.comm().rank());
    for (std::size_t d = 0; d < 3; ++d) first[d] = at[d] * core[d], cells[d] = grid.extents()[d] * core[d];
  }
  index_t number(const wherry::point<3>& p, int which) const {
    const auto wrap = [&](std::size_t d) { return (first[d] + p[d] + cells[d]) % cells[d]; };
    return number_of(wrap(0), wrap(1), wrap(2), which);
  }
  template <class T> void fill(wherry::field<T, 3>& u, int which) const {
    wherry::for_each_point(u.whole(), [&](const auto& p) { u[p] = T{}; });
    wherry::for_each_point(u.core(), [&](const auto& p) { u[p] = value<T>(number(p, which)); });
  }
  template <class T> void check(const wherry::field<T, 3>& u, int which, const char* what) const {
    long wrong = 0;
    wherry::for_each_point(u.whole(), [&](const auto& p) { wrong += u[p] == value<T>(number(p, which)) ? 0 : 1; });
    if (fault(wrong > 0)) FAIL(std::string(what) + ": " + std::to_string(wrong) + " wrong cells");
  }
};

}  // namespace

WHERRY_TEST(fields_of_different_types_layouts_and_widths, ranks(1, 2, 3, 4, 8)) {
  const torus t(test.comm);
  const auto& comm = t.grid.comm();
  wherry::field<double, 3> u(comm, t.core, 2, {.name = "u"});
  wherry::field<sample, 3> v(comm, t.core, {{1, 0, 2}, {0, 3, 1}}, {.layout = wherry::c_layout<3>(), .name = "v"});
  wherry::field<char, 3> w(comm, t.core, wherry::point<3>{1, 2, 0}, {.layout = {{1, 2, 0}}, .pad_rows = false});
  wherry::halo_exchange exchange(t.grid, u, v, w);
  for (int round = 0; round < 3; ++round) {
    t.fill(u, round), t.fill(v, round + 1), t.fill(w, round + 2);
    round == 1 ? exchange(u, v, w) : exchange();
    t.check(u, round, "u"), t.check(v, round + 1, "v"), t.check(w, round + 2, "w");
  }
  CHECK(exchange.explain().find("halo exchange: 3 fields") != std::string::npos);
  CHECK_EQUAL(exchange.bound().statistics().exchanges, 3);
}

WHERRY_TEST(double_buffers, ranks(1, 2, 3).not_simulated("wants all ranks on one node")) {
  const torus t(test.comm);
  for (const auto* row : wherry::transports::all_transports()) {
    if (row->device_memory || (row->node_only && wherry::current_settings().node_size != 0)) continue;
    wherry::halo_options options;
    options.carry.transport = row->name;
    wherry::field<double, 3> now(t.grid.comm(), t.core, 1), next(t.grid.comm(), t.core, 1);
    wherry::halo_exchange exchange(t.grid, options, now);
    for (int step = 0; step < 6; ++step) {
      t.fill(next, step);
      std::swap(now, next);
      exchange(now);
      t.check(now, step, row->name.c_str());
    }
    // An array of this stack frame, given by its pointer only.
    const auto whole = now.whole();
    const auto strides = now.strides();
    std::vector<double> local(static_cast<std::size_t>(strides[2] * whole.extent(2)), -1);
    const wherry::view<double, 3> seen(local.data(), {whole.extent(0), whole.extent(1), whole.extent(2)}, strides);
    wherry::for_each_point(now.core(),
                           [&](const auto& p) { seen(p[0] + 1, p[1] + 1, p[2] + 1) = value<double>(t.number(p, 9)); });
    exchange(local.data());
    long wrong = 0;
    wherry::for_each_point(whole, [&](const auto& p) {
      wrong += seen(p[0] + 1, p[1] + 1, p[2] + 1) == value<double>(t.number(p, 9)) ? 0 : 1;
    });
    CHECK_EQUAL(wrong, 0);
    t.check(now, 5, "the field of before");
  }
}

namespace {

// What std::mdspan looks like from outside.
struct foreign_array {
  int* memory;
  std::array<std::size_t, 2> lengths;
  int* data_handle() const { return memory; }
  std::size_t extent(std::size_t d) const { return lengths[d]; }
  std::size_t stride(std::size_t d) const { return d == 0 ? lengths[1] : 1; }
  static constexpr std::size_t rank() { return 2; }
};

}  // namespace

// GCL's five integers on a user's array, with unused cells on all sides; a mesh without wrap.
WHERRY_TEST(arrays_of_the_users, ranks(1, 2, 4)) {
  const wherry::process_grid row(test.comm, {.periodic = {false}});
  std::vector<int> memory(12 * 9, -1);
  const foreign_array array{memory.data(), {12, 9}};
  const wherry::halo_view<int, 2> u(array, {{{2, 1, 4, 8, 12}, {0, 0, 1, 7, 9}}});
  for (int i = 4; i <= 8; ++i)
    for (int j = 1; j <= 7; ++j) u.array()(i, j) = (test.rank * 5 + i - 4) * 100 + j;
  wherry::halo_exchange exchange(row, u);
  exchange();
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 9; ++j) {
      const int global = test.rank * 5 + i - 4;
      const bool filled = i >= 2 && i <= 9 && j >= 1 && j <= 7 && global >= 0 && global < 5 * test.size;
      CHECK_EQUAL(u.array()(i, j), filled ? global * 100 + j : -1);
    }
}

// Fewer cells than ranks, ranks outside the grid, null pointers where there is nothing.
WHERRY_TEST(ranks_without_cells, ranks(2, 3, 4, 8)) {
  const int inside = test.size - 1;
  const wherry::process_grid line(test.comm, {.periodic = {true}, .extents = {inside}});
  const index_t cells = (inside + 1) / 2;  // every other rank has one
  const auto here = wherry::owned_box(line, {cells});
  const index_t mine = here.extent(0), first = here.lower[0];
  std::vector<double> memory(mine > 0 ? static_cast<std::size_t>(mine + 2) : 0, -1);
  const auto u = wherry::halo_around(memory, {mine}, 1);
  wherry::halo_exchange exchange(line, u);
  if (mine > 0) memory[1] = static_cast<double>(first);
  exchange();
  if (mine > 0) {
    CHECK_EQUAL(memory[0], static_cast<double>((first + cells - 1) % cells));
    CHECK_EQUAL(memory[2], static_cast<double>((first + 1) % cells));
  }
  wherry::field<double, 1> v(line.comm(), {mine}, 1);
  wherry::halo_exchange other(line, v);
  if (mine > 0) v(0) = static_cast<double>(first);
  other(v);
  if (mine > 0) CHECK_EQUAL(v(1), static_cast<double>((first + 1) % cells));
}

WHERRY_TEST(rows_a_power_of_two_are_padded, ranks(1)) {
  const wherry::communicator ours(test.comm);
  wherry::field<double, 2> padded(ours, {62, 4}, 1), dense(ours, {62, 4}, 1, {.pad_rows = false}),
      odd(ours, {61, 4}, 1);
  CHECK_EQUAL(dense.strides()[1], 64);
  CHECK(padded.strides()[1] > 64);
  CHECK_EQUAL(odd.strides()[1], 63);
  CHECK_EQUAL(padded.origin() - padded.data(), padded.strides()[1] + 1);
  wherry::for_each_point(padded.whole(), [&](const auto& p) { CHECK_EQUAL(padded[p], 0.0); });
}
