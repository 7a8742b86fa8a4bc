// Halos around arrays of the user's, in one word; and what is const is read, not written.
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "wherry/halo/alltoall_exchange.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/halo/rooted.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using namespace wherry_test;
using wherry::error_kind;
using wherry::index_t;

namespace {

struct state;

}  // namespace

template <> inline constexpr bool wherry::travels_as_bytes<state> = true;

namespace {

// What std::mdspan has, over rows of C.
struct plane {
  double* values;
  std::array<index_t, 2> extents;

  static constexpr std::size_t rank() { return 2; }
  double* data_handle() const { return values; }
  index_t extent(std::size_t d) const { return extents[d]; }
  index_t stride(std::size_t d) const { return d == 0 ? extents[1] : 1; }
};

// Copies itself, as types of older codes do, though its bytes are all of it.
struct state {
  state() = default;
  explicit state(double value) : pressure(value), phase(static_cast<short>(value)) {}
  state(const state& other) : pressure(other.pressure), phase(other.phase) {}
  state& operator=(const state&) = default;

  double pressure = 0;
  short phase = 0;
};
using numbered = std::pair<int, state>;

// A ring of 3 × 2 cells along x, alone along y, with halos of 1: the cell before the first is the neighbour's last.
void exchanged(const context& test, wherry::halo_view<double, 2> u) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}, .extents = {test.size, 1}});
  const auto& cells = u.array();
  wherry::for_each_point(cells.whole(), [&](const auto& p) {
    cells[p] = 100 * test.rank + 10 * static_cast<double>(p[0]) + static_cast<double>(p[1]);
  });
  wherry::halo_exchange exchange(grid, u);
  exchange(u);
  const int before = (test.rank + test.size - 1) % test.size, after = (test.rank + 1) % test.size;
  CHECK_EQUAL(cells(0, 1), 100.0 * before + 31);
  CHECK_EQUAL(cells(4, 2), 100.0 * after + 12);
  CHECK_EQUAL(cells(2, 0), 100.0 * test.rank + 22);
  CHECK_EQUAL(cells(2, 2), 100.0 * test.rank + 22);
}

}  // namespace

WHERRY_TEST(arrays_of_ones_own, ranks(1, 2, 3, 4)) {
  std::vector<double> values(20);
  const wherry::point<2> extents{5, 4};
  exchanged(test, wherry::halo_around(values, {3, 2}, 1));
  exchanged(test, wherry::halo_inside(values, {5, 4}, 1));
  exchanged(test, wherry::halo_inside(values, extents, 1));
  exchanged(test, wherry::halo_around(std::span(values), {3, 2}, wherry::halo_widths<2>(1), wherry::c_layout<2>()));
  exchanged(test, wherry::halo_inside(std::span(values), {5, 4}, wherry::halo_widths<2>(1), wherry::c_layout<2>()));
  std::array<double, 25> longer{};
  exchanged(test, wherry::halo_around(std::span(longer).first(20), {3, 2}, 1));
  double rows[5][4] = {};
  exchanged(test, wherry::halo_around(std::span(&rows[0][0], 20), {3, 2}, 1, wherry::c_layout<2>()));
  exchanged(test, wherry::halo_inside(plane{values.data(), {5, 4}}, 1));
  exchanged(test, wherry::halo_inside(wherry::view<double, 2>(values.data(), {5, 4}, wherry::c_layout<2>()), 1));
}

// Elements that are their bytes only because somebody says so, and pairs of them.
WHERRY_TEST(elements_with_constructors, ranks(1, 2, 3)) {
  static_assert(!std::is_trivially_copyable_v<state> && !std::is_trivially_copyable_v<numbered>);
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  wherry::field<numbered, 1> ours(grid.comm(), {2}, 1);
  std::vector<state> theirs(4);
  for (int i = 0; i < 2; ++i) {
    ours(i) = {10 * test.rank + i, state(test.rank + 0.5)};
    theirs[static_cast<std::size_t>(1 + i)] = state(100 * test.rank + i);
  }
  wherry::halo_exchange exchange(grid, ours, wherry::halo_around(theirs, {2}, 1));
  exchange();
  const int before = (test.rank + test.size - 1) % test.size, after = (test.rank + 1) % test.size;
  CHECK_EQUAL(ours(-1).first, 10 * before + 1);
  CHECK_EQUAL(ours(2).second.pressure, after + 0.5);
  CHECK_EQUAL(theirs[0].pressure, 100.0 * before + 1);
  CHECK_EQUAL(theirs[3].phase, 100 * after);
}

// Extents of the core where those with the halo are meant, the other way round, and what is neither: no size but the
// right one is taken, and the error says both.
WHERRY_TEST(wrong_extents, ranks(1)) {
  const auto refused = [](const std::string& words, auto&& act) { CHECK_THROWS_WITH(act(), words.c_str()); };
  for (const std::size_t given : {19, 21, 41, 43, 0}) {
    std::vector<double> values(given);
    const auto words = "the array has " + std::to_string(given) +
                       " values; halo_around(…, {5 × 4}, …) takes 42 (7 × 6 with the halo), and halo_inside 20 (the "
                       "extents count the halo)";
    refused("halo_inside: " + words, [&] { wherry::halo_inside(values, {5, 4}, 1); });
    refused("halo_around: " + words, [&] { wherry::halo_around(values, {5, 4}, 1); });
  }
  std::vector<double> whole(42), core(20), none;
  refused("has 42 values", [&] { wherry::halo_inside(whole, {5, 4}, 1, wherry::c_layout<2>()); });
  refused("has 20 values", [&] { wherry::halo_around(core, {5, 4}, 1, wherry::c_layout<2>()); });
  refused("takes 54 (9 × 6 with the halo)", [&] { wherry::halo_around(whole, {5, 4}, {{1, 1}, {3, 1}}); });
  refused("the extent of dimension 0 is -1", [&] { wherry::halo_inside(core, {-1, 4}, 1); });
  refused("the extent of dimension 1 is -4", [&] { wherry::halo_around(core, {1, -4}, 1); });
  refused("the halo of dimension 0 is -1 and -1 cells wide", [&] { wherry::halo_around(core, {7, 6}, -1); });
  refused("does not fit", [&] { wherry::halo_inside(core, {index_t{1} << 40, index_t{1} << 40}, 1); });
  refused("does not fit", [&] { wherry::halo_around(core, {index_t{1} << 62, index_t{1} << 62}, 1); });
  wherry::halo_around(none, {0, 4}, 1);  // a rank without cells has no array either
  wherry::halo_inside(none, {0, 4}, 0);
  const wherry::view<double, 2> array(whole.data(), {7, 6});
  refused("dimension 1 of the array has 6 elements, but its descriptor has the length 8",
          [&] { wherry::halo_view<double, 2>(array, {{{1, 1, 1, 5, 7}, {1, 1, 1, 4, 8}}}); });
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  refused("of 6 elements the halo takes 8", [&] { wherry::halo_exchange(grid, wherry::halo_inside(array, {{0, 4}})); });
}

// Elements of const arrays are const.
WHERRY_TEST(const_fields_are_read_only, ranks(1)) {
  using field = wherry::field<double, 2>;
  using reading = decltype(std::declval<const field&>()(0, 0));
  static_assert(std::is_same_v<reading, const double&>);
  static_assert(std::is_same_v<decltype(std::declval<field&>()(0, 0)), double&>);
  static_assert(std::is_same_v<decltype(std::declval<const field&>()[{0, 0}]), const double&>);
  static_assert(std::is_same_v<decltype(std::declval<const field&>().data()), const double*>);
  static_assert(std::is_same_v<decltype(std::declval<const field&>().origin()), const double*>);
  static_assert(
      std::is_same_v<decltype(std::declval<const field&>().view_with_halo()), wherry::halo_view<const double, 2>>);
  // A view is like a pointer.
  using view = wherry::view<double, 2>;
  static_assert(std::is_same_v<decltype(std::declval<const view&>()(0, 0)), double&>);
  static_assert(std::is_convertible_v<view, wherry::view<const double, 2>>);
  static_assert(!std::is_convertible_v<wherry::view<const double, 2>, view>);

  field u(test.comm, {2, 2}, 1);
  u(1, 1) = 3;
  const auto& same = u;
  CHECK_EQUAL(same(1, 1), 3.0);
  CHECK_EQUAL(same.fingerprint(), same.view_with_halo().fingerprint());
}

// Const arrays leave from anywhere.
WHERRY_TEST(const_arrays_are_sources, ranks(1, 2, 3)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const std::vector<int> out(3, test.rank);
  std::vector<int> in(3), all(static_cast<std::size_t>(2 * test.size));
  const wherry::view<const int, 1> from(out.data(), {3});
  const wherry::view<int, 1> to(in.data(), {3}), whole(all.data(), {2 * test.size});

  wherry::alltoall_exchange ring(test.comm);
  ring.send(next, from, from.whole());
  ring.receive(before, to, to.whole());
  ring.commit();
  ring();
  CHECK_EQUAL(in[2], before);

  wherry::field<int, 1> u(test.comm, {2}, 1);
  u(0) = u(1) = test.rank;
  wherry::gather_exchange(grid, std::as_const(u), whole)();
  if (test.rank == 0) CHECK_EQUAL(all.back(), test.size - 1);
  const wherry::view<const int, 1> read_only(all.data(), {2 * test.size});
  wherry::scatter_exchange(grid, read_only, u)();
  CHECK_EQUAL(u(1), test.rank);

  const auto refused = [&](const char* title, auto act) {
    all_throw(test, title, error_kind::argument, "is const and cannot be received into", act);
  };
  refused("scatter", [&] { wherry::scatter_exchange(grid, whole, std::as_const(u)); });
  if (test.size > 1) refused("broadcast", [&] { wherry::bcast_exchange(grid, from); });
  refused("all to all", [&] {
    wherry::alltoall_exchange wrong(test.comm);
    wrong.send(next, from, from.whole());
    wrong.receive(before, wherry::section_of(from));
    wrong.commit();
  });
}
