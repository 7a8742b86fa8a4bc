// Wrong input: the error that DESIGN.md asks for, before anything is sent, on all ranks alike, naming argument and
// rank.
#include <array>
#include <functional>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"

using wherry::error_kind;
using wherry::halo_field;
using namespace wherry_test;

namespace {

// A field of 6 × 6 doubles whose core is 4 × 4, correct until changed.
struct square {
  std::vector<double> cells = std::vector<double>(36);
  halo_field described;

  square() {
    described.name = "u";
    described.data = cells.data();
    described.element = 8;
    described.dimensions = 2;
    described.halo[0] = described.halo[1] = {1, 1, 1, 4, 6};
    described.stride = {8, 48};
  }
};

wherry::process_grid torus(const context& test) { return wherry::process_grid(test.comm, {.periodic = {true, true}}); }

using change = std::function<void(halo_field&)>;

// One rank's field is wrong; all must hear of it, the others from whom.
void wrong_on_one_rank(const context& test, const char* title, error_kind kind, const std::string& words,
                       change alter) {
  const auto grid = torus(test);
  const int culprit = test.size - 1;
  const auto words_here = test.rank == culprit ? words : "rank " + std::to_string(culprit) + " reports: ";
  all_throw(test, title, kind, words_here, [&] {
    square u;
    if (test.rank == culprit) alter(u.described);
    wherry::halo_exchange(grid, {}, std::vector{u.described});
  });
  all_throw(test, title, kind, words, [&] {
    square u;
    alter(u.described);
    wherry::halo_exchange(grid, {}, std::vector{u.described});
  });
}

// Ranks that disagree among themselves: only where there are several.
void disagreement(const context& test, const char* title, const std::string& words, change alter) {
  if (test.size == 1) return;
  const auto grid = torus(test);
  all_throw(test, title, error_kind::mismatch, words, [&] {
    square u;
    if (test.rank == 0) alter(u.described);
    wherry::halo_exchange(grid, {}, std::vector{u.described});
  });
}

}  // namespace

WHERRY_TEST(wrong_descriptors, ranks(1, 2, 4)) {
  const auto argument = error_kind::argument;
  wrong_on_one_rank(test, "negative minus", argument, "dimension 1: minus is -1",
                    [](auto& f) { f.halo[1].minus = -1; });
  wrong_on_one_rank(test, "negative plus", argument, "dimension 0: plus is -2", [](auto& f) { f.halo[0].plus = -2; });
  wrong_on_one_rank(test, "past the length", argument, "length 5", [](auto& f) { f.halo[0].length = 5; });
  wrong_on_one_rank(test, "no room for minus", argument, "begin 0", [](auto& f) { f.halo[0].begin = 0; });
  wrong_on_one_rank(test, "end before begin", argument, "end -1", [](auto& f) { f.halo[1].end = -1; });
  wrong_on_one_rank(test, "no element size", argument, "element size is 0", [](auto& f) { f.element = 0; });
  wrong_on_one_rank(test, "no dimensions", argument, "it has 0 dimensions", [](auto& f) { f.dimensions = 0; });
  wrong_on_one_rank(test, "five dimensions", argument, "it has 5 dimensions", [](auto& f) { f.dimensions = 5; });
  wrong_on_one_rank(test, "names the field", argument, "'u'", [](auto& f) { f.halo[1].minus = -1; });
}

// A rank may say that it has no cells in any dimension, but not where its neighbours leave it some.
WHERRY_TEST(no_cells_where_there_are_some, ranks(4)) {
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}, .extents = {2, 2}});
  const auto words =
      test.rank == 3 ? "dimension 0 has a core of 0 cells, but the floor plan gives it 4" : "rank 3 reports: ";
  all_throw(test, "a hole in the grid", error_kind::argument, words, [&] {
    square u;
    if (test.rank == 3) u.described.halo[0] = u.described.halo[1] = {1, 1, 1, 0, 6};
    wherry::halo_exchange(grid, {}, std::vector{u.described});
  });
  const wherry::floor_plan<2> plan({{{0, 0}, {4, 4}}, {{4, 0}, {8, 4}}, {{8, 0}, {12, 4}}, {{12, 4}, {12, 0}}},
                                   {0, 1, 2, 3});
  const wherry::communicator ours(test.comm);
  const auto others = test.rank == 3 ? "has a core of 4 cells, but the floor plan gives it" : "rank 3 reports: ";
  all_throw(test, "cells without a box", error_kind::argument, others, [&] {
    square u;
    wherry::halo_exchange(ours, plan, wherry::domain<2>::torus({{0, 0}, {12, 4}}), {}, {{u.described}});
  });
}

WHERRY_TEST(disagreeing_fields, ranks(2, 4)) {
  disagreement(test, "widths", "minus width of dimension 1: from 0 to 1", [](auto& f) { f.halo[1].minus = 0; });
  disagreement(test, "element sizes", "element size: from 4 to 8", [](auto& f) { f.element = 4; });
  const auto grid = torus(test);
  all_throw(test, "number of fields", error_kind::mismatch, "number of fields", [&] {
    square u;
    std::vector<halo_field> fields(test.rank == 0 ? 1u : 2u, u.described);
    wherry::halo_exchange(grid, {}, fields);
  });
  all_throw(test, "number of dimensions", error_kind::mismatch, "dimensions", [&] {
    square u;
    if (test.rank == 0) u.described.dimensions = 3, u.described.halo[2] = {0, 0, 0, 0, 1};
    wherry::halo_exchange(grid, {}, std::vector{u.described});
  });
  all_throw(test, "order", error_kind::mismatch, "disagree on 'order'", [&] {
    square u;
    wherry::halo_options options;
    if (test.rank == 0) options.order = wherry::halo_order::by_dimension;
    wherry::halo_exchange(grid, options, u.described.data ? std::vector{u.described} : std::vector<halo_field>{});
  });
  all_throw(test, "stencil", error_kind::mismatch, "disagree on the kind of 'stencil'", [&] {
    square u;
    wherry::halo_options options;
    if (test.rank == 0) options.stencil = wherry::stencil_shape::faces();
    wherry::halo_exchange(grid, options, std::vector{u.described});
  });
  all_throw(test, "reverse", error_kind::mismatch, "disagree on 'reverse': it is", [&] {
    square u;
    wherry::halo_options options;
    options.reverse = test.rank == 0;
    wherry::halo_exchange(grid, options, std::vector{u.described});
  });
  all_throw(test, "update", error_kind::mismatch, "disagree on whether there is an 'update'", [&] {
    square u;
    wherry::halo_options options;
    if (test.rank == 0) options.update = std::plus<>{};
    wherry::halo_exchange(grid, options, std::vector{u.described});
  });
  all_throw(test, "transport", error_kind::mismatch, "transport", [&] {
    square u;
    wherry::halo_options options;
    options.carry.transport = test.rank == 0 ? "two_sided" : "persistent";
    wherry::halo_exchange(grid, options, std::vector{u.described});
  });
}

// Sizes that do not fit together along a face: rank 1 beside rank 0 is higher than it.
WHERRY_TEST(sizes_that_do_not_meet, ranks(2, 4)) {
  const wherry::process_grid row(test.comm, {.periodic = {false, false}, .extents = {test.size, 1}});
  all_throw(test, "core", error_kind::mismatch, "core of dimension 1 at coordinate 0: from 3 to 4", [&] {
    square u;
    if (test.rank == 0) u.described.halo[1] = {1, 1, 1, 3, 6};
    wherry::halo_exchange(row, {}, std::vector{u.described});
  });
}

// The same on a floor plan, where each message could still have the right number of bytes in all.
WHERRY_TEST(disagreement_on_a_floor_plan, ranks(2, 3)) {
  const wherry::communicator ours(test.comm);
  const auto ring = wherry::domain<1>::torus({{0}, {4 * test.size}});
  const auto pieces = wherry::even_blocks<1>(ring.cells, {test.size});
  struct wide {  // blocks of these leave no gaps on the wire, so that the sum of two widths is what is sent
    double parts[2];
  };
  std::vector<wide> cells(7);
  const auto exchange_with = [&](wherry::index_t minus, wherry::index_t plus, const wherry::halo_options& options) {
    const auto field = wherry::halo_of(wherry::halo_inside(cells, {7}, {{minus}, {plus}}));
    wherry::halo_exchange(ours, pieces, ring, options, {{field}});
  };
  all_throw(test, "widths", error_kind::mismatch, "width",
            [&] { test.rank == 0 ? exchange_with(1, 2, {}) : exchange_with(2, 1, {}); });
  all_throw(test, "stencil", error_kind::mismatch, "disagree on the kind of 'stencil'", [&] {
    wherry::halo_options options;
    if (test.rank == 0) options.stencil = wherry::stencil_shape::only({{-1, 0, 0, 0}});
    exchange_with(1, 2, options);
  });
  all_throw(test, "number of subdomains", error_kind::argument, test.rank == 0 ? "the rank owns 1" : "rank 0 reports",
            [&] {
              if (test.rank != 0) return exchange_with(1, 2, {});
              wherry::halo_exchange(ours, pieces, ring, {}, {});
            });
  all_throw(test, "sizes", error_kind::argument, "", [&] {
    std::vector<wide> more(8);
    if (test.rank != 0) return exchange_with(1, 2, {});
    wherry::halo_exchange(ours, pieces, ring, {}, {{wherry::halo_of(wherry::halo_inside(more, {8}, {{1}, {2}}))}});
  });
}

WHERRY_TEST(wrong_calls, ranks(1, 2)) {
  const auto grid = torus(test);
  square u;
  const std::vector fields{u.described};
  {
    auto without = fields;
    without[0].data = nullptr;
    wherry::halo_exchange exchange(grid, {}, without);
    all_throw(test, "before fields are set", error_kind::state, "before any field pointers were set",
              [&] { exchange.start(); });
    all_throw(test, "null pointer", error_kind::argument, "field 0 'u' is null",
              [&] { exchange.start(static_cast<double*>(nullptr)); });
    all_throw(test, "too many pointers", error_kind::argument, "2 field pointers",
              [&] { exchange.start(u.cells.data(), u.cells.data()); });
    exchange(u.cells.data());  // and after all that it works
  }
  wherry::halo_exchange exchange(grid, {}, fields);
  all_throw(test, "wait without start", error_kind::state, "'wait' was called without 'start'",
            [&] { exchange.wait(); });
  exchange.start();
  all_throw(test, "start twice", error_kind::state, "'start' was called again before 'wait'",
            [&] { exchange.start(); });
  exchange.wait();
  all_throw(test, "wait twice", error_kind::state, "'wait' was called without 'start'", [&] { exchange.wait(); });
  void* const table[] = {u.cells.data()};
  exchange.start();
  all_throw(test, "other fields at wait", error_kind::state, "snapshot", [&] { exchange.bound().wait(table); });
  exchange.wait();
  all_throw(test, "no fields", error_kind::argument, "'fields' is empty",
            [&] { wherry::halo_exchange(grid, {}, std::vector<halo_field>{}); });
}

WHERRY_TEST(wrong_options, ranks(1, 2, 4)) {
  const auto grid = torus(test);
  square u;
  const std::vector fields{u.described};
  const auto with = [&](const wherry::halo_options& options) { wherry::halo_exchange(grid, options, fields); };
  const auto argument = error_kind::argument;
  wherry::halo_options options;
  options.carry.transport = "carrier_pigeon";
  all_throw(test, "unknown transport", argument, "'carrier_pigeon'; there are auto, ", [&] { with(options); });
  if (test.size > 1) {
    options.carry.transport = test.rank == 1 ? "carrier_pigeon" : "auto";
    all_throw(test, "unknown transport on one rank", argument, "carrier_pigeon", [&] { with(options); });
  }
  options = {.axes = {0, 0}};
  all_throw(test, "axis twice", argument, "axes", [&] { with(options); });
  options = {.axes = {0, 2}};
  all_throw(test, "no such axis", argument, "axes", [&] { with(options); });
  options = {.axes = {0}};
  all_throw(test, "too few axes", argument, "'axes' has 1 entries, expected 2", [&] { with(options); });
  options = {};
  options.update = wherry::make_reduction<std::array<double, 3>>("add", [](auto a, auto) { return a; });
  all_throw(test, "reduction of another type", argument, "elements of 24 bytes", [&] { with(options); });
  auto device = fields;
  device[0].space = wherry::memory_space::device;
  all_throw(test, "device memory", argument, "device memory", [&] { wherry::halo_exchange(grid, {}, device); });
  if (test.size > 1) {
    if (test.rank != 1) device = fields;
    all_throw(test, "device memory on one rank", argument, "device memory",
              [&] { wherry::halo_exchange(grid, {}, device); });
  }
}

WHERRY_TEST(wrong_grids, ranks(1, 2, 4)) {
  const auto grid = [&](const wherry::process_grid_options& options) { wherry::process_grid(test.comm, options); };
  const auto argument = error_kind::argument;
  all_throw(test, "no dimensions", argument, "'periodic' has 0 dimensions", [&] { grid({}); });
  all_throw(test, "five", argument, "'periodic' has 5 dimensions", [&] { grid({.periodic = std::vector(5, true)}); });
  all_throw(test, "too large", argument, "there are " + std::to_string(test.size),
            [&] { grid({.periodic = {true}, .extents = {test.size + 1}}); });
  all_throw(test, "negative", argument, "-1", [&] { grid({.periodic = {true}, .extents = {-1}}); });
  all_throw(test, "lengths differ", argument, "'extents' has 2",
            [&] { grid({.periodic = {true}, .extents = {1, 1}}); });
  const wherry::process_grid open(test.comm,
                                  {.extents = {1, 0}});  // wraps around nowhere, unless its communicator does
  CHECK_EQUAL(open.extents(), (std::vector{1, test.size}));
  CHECK_EQUAL(open.periodic(), (std::vector{false, false}));
  if (test.size == 1) return;
  all_throw(test, "ranks disagree", error_kind::mismatch, "periodicity", [&] { grid({.periodic = {test.rank == 0}}); });
  all_throw(test, "dimensions differ", error_kind::mismatch, "disagree",
            [&] { grid({.periodic = std::vector(test.rank == 0 ? 1 : 2, true)}); });
  all_throw(test, "wrong on one rank", argument, test.rank == 0 ? "-3" : "rank 0 reports",
            [&] { grid({.periodic = {true}, .extents = {test.rank == 0 ? -3 : test.size}}); });
}

WHERRY_TEST(wrong_communicators, ranks(1, 2).not_simulated("SimGrid has no MPI_Intercomm_create")) {
  CHECK_THROWS_WITH(wherry::communicator(MPI_COMM_NULL), "MPI_COMM_NULL");
  if (test.size < 2) return;
  MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
  MPI_Comm_split(test.comm, test.rank, 0, &half);
  MPI_Intercomm_create(half, 0, test.comm, 1 - test.rank, 0, &between);
  CHECK_THROWS_WITH(wherry::communicator{between}, "inter-communicator");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

WHERRY_TEST(wrong_field_sizes, ranks(1)) {
  const wherry::communicator ours(test.comm);
  using field = wherry::field<double, 2>;
  all_throw(test, "negative core", error_kind::argument, "dimension 1", [&] { field(ours, {3, -1}, 1); });
  all_throw(test, "negative width", error_kind::argument, "dimension 0",
            [&] { field(ours, {3, 3}, {{-1, 0}, {0, 0}}); });
  all_throw(test, "layout", error_kind::argument, "'layout' is not a permutation",
            [&] { field(ours, {3, 3}, 1, {.layout = {{1, 1}}, .name = "u"}); });
}
