// Ranks with different settings: those that must agree are compared when an exchange is bound, and named with two
// values; those that may differ do.
#include <cstdint>
#include <string>

#include "wherry/plan/schedule_builder.hpp"
#include "wherry/wherry.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using namespace wherry_test;

namespace {

void exchange_once(MPI_Comm comm, const std::string& transport) {
  wherry::process_grid grid(comm, {.periodic = {true}});
  wherry::field<double, 1> u(grid.comm(), {500}, 1);
  for (int i = 0; i < 500; ++i) u(i) = grid.comm().rank();
  wherry::halo_exchange exchange(grid, {.carry = {.transport = transport}}, u);
  exchange(u);
  CHECK_EQUAL(u(-1), (grid.comm().rank() + grid.comm().size() - 1) % grid.comm().size());
}

}  // namespace

WHERRY_TEST(settings_that_must_agree_are_compared, ranks(2, 3, 4)) {
  struct row {
    const char *name, *variable, *usual, *other;
  };
  const int odd = test.size - 1;
  for (const auto& [name, variable, usual, other] :
       {row{"message_limit", "WHERRY_MESSAGE_LIMIT", "1G", "64"},
        row{"transport", "WHERRY_TRANSPORT", "auto", "reference"}, row{"check", "WHERRY_CHECK", "0", "1"}})
    for (const auto& transport : usable_transports(test.comm)) {
      test.note(std::string(name) + " over " + transport);
      {
        const setting one_rank(name, test.rank == odd ? other : usual, usual);
        try {
          exchange_once(test.comm, transport);
          FAIL(std::string(name) + " over " + transport + ": no error");
        } catch (const wherry::error& failure) {
          const std::string said = failure.what();
          if (fault(failure.kind() != wherry::error_kind::mismatch || said.find(variable) == std::string::npos ||
                    said.find("rank " + std::to_string(odd)) == std::string::npos ||
                    said.find("on rank 0") == std::string::npos))
            FAIL(std::string(name) + " over " + transport + ": says " + said);
        }
      }
      exchange_once(test.comm, transport);
    }
}

WHERRY_TEST(settings_that_may_differ_do, ranks(2, 3, 4)) {
  struct row {
    const char *name, *usual, *other;
  };
  for (const auto& [name, usual, other] :
       {row{"timeout", "0", "50"}, row{"spin", "auto", "0"}, row{"one_copy_row", "0", "64"},
        row{"arena_size", "0", "64M"}, row{"node_size", "0", "1"}, row{"stats", "0", "0"}}) {
    MPI_Comm fresh = MPI_COMM_NULL;
    MPI_Comm_dup(test.comm, &fresh);
    const setting one_rank(name, test.rank == test.size - 1 ? other : usual, usual);
    for (const auto& transport : usable_transports(fresh)) exchange_once(fresh, transport);
    MPI_Comm_free(&fresh);
  }
}

// The last rank has it otherwise than the others: all are told what it is, and both values.
WHERRY_TEST(options_that_must_agree_are_named, ranks(2, 3, 4)) {
  const bool odd = test.rank == test.size - 1;
  const std::string last = std::to_string(test.size - 1);
  const auto differs = [&](const std::string& name, const std::string& here, const std::string& there, auto bind) {
    test.note(name);
    const auto words = "the ranks disagree on " + name + ": it is '" + here + "' here and '" + there + "' on rank 0";
    try {
      bind();
      FAIL(name + ": no error");
    } catch (const wherry::error& problem) {
      const std::string said = problem.what();
      if (fault(problem.kind() != wherry::error_kind::mismatch || said.find(words) == std::string::npos))
        FAIL("says " + said + "\n    expected: " + words);
    }
  };
  const wherry::process_grid grid(test.comm, {.periodic = {true, true}});
  const auto& comm = grid.comm();
  wherry::field<double, 2> u(comm, {5, 5}, 1), v(comm, {5, 5}, 1);
  const auto halo = [&](const wherry::halo_options& how) { wherry::halo_exchange exchange(grid, how, u, v); };

  differs("the number of dimensions", "1", "2",
          [&] { wherry::process_grid(test.comm, {.periodic = std::vector<bool>(odd ? 1 : 2, true)}); });
  differs("the periodicity of dimension 1", "0", "1",
          [&] { wherry::process_grid(test.comm, {.periodic = {true, !odd}}); });
  differs("the number of fields", "1", "2", [&] {
    if (odd)
      wherry::halo_exchange(grid, u);
    else
      wherry::halo_exchange(grid, u, v);
  });
  differs("'order'", "by_dimension", "direct",
          [&] { halo({.order = odd ? wherry::halo_order::by_dimension : wherry::halo_order::direct}); });
  differs("'axes'", "1 0", "0 1", [&] { halo({.axes = odd ? std::vector{1, 0} : std::vector{0, 1}}); });
  differs("direction 1 of 'stencil'", "0 -1 0 0 0 0", "0 1 0 0 0 0",
          [&] { halo({.stencil = wherry::stencil_shape::only({{1, 0}, {0, odd ? -1 : 1}})}); });
  differs("'snapshot'", "1", "0", [&] { halo({.carry = {.snapshot = odd}}); });
  differs("the owner of box 0", last, "0", [&] {
    const auto space = wherry::domain<2>::torus({{0, 0}, {5 * test.size, 5}});
    std::vector<int> owners;
    for (int r = 0; r < test.size; ++r) owners.push_back(odd ? test.size - 1 - r : r);
    const auto cut = wherry::even_blocks<2>(space.cells, {test.size, 1}, owners);
    wherry::halo_exchange exchange(comm, cut, space, {}, {{halo_of(u)}});
  });
  differs("the root", last, "0", [&] { wherry::bcast_exchange(grid, {.root = odd ? test.rank : 0}, u); });
  differs("the number of sections", "1", "2", [&] {
    if (odd)
      wherry::bcast_exchange(grid, u);
    else
      wherry::bcast_exchange(grid, u, v);
  });

  wherry::floor_plan<1> plan;
  for (int r = 0; r < test.size; ++r) plan.add({{10 * r}, {10 * r + 10}}, r);
  wherry::x_array<double, 1> w(comm, plan, {.ghost_width = 1}), pairs(comm, plan, {.ghost_width = 1, .components = 2});
  const auto ghosts = wherry::halo_motion(plan, wherry::halo_widths<1>(1), {});
  std::vector<double> numbers(4);
  const wherry::carry_options in_packets{.packet_bytes = odd ? 64 : 0};
  differs("'packet_bytes'", "64", "0", [&] { halo({.carry = in_packets}); });
  differs("'packet_bytes'", "64", "0", [&] { wherry::bcast_exchange(grid, {.carry = in_packets}, u); });
  differs("'packet_bytes'", "64", "0", [&] { wherry::buffer_exchange(grid, in_packets).commit(); });
  differs("'packet_bytes'", "64", "0",
          [&] { wherry::index_exchange(comm, wherry::index_lists{}, {.carry = in_packets}, numbers); });
  differs("'packet_bytes'", "64", "0", [&] { wherry::mover(ghosts, w, w, {.carry = in_packets}); });
  differs("'keep_buffers'", "0", "1", [&] { wherry::mover(ghosts, w, w, {.carry = {.keep_buffers = !odd}}); });
  differs("the number of components of the source", "2", "1", [&] {
    auto& mine = odd ? pairs : w;
    wherry::mover(ghosts, mine, mine);
  });
  halo({});
  exchange_once(test.comm, "auto");
}

// A schedule made by hand is not trusted either: nobody is left waiting for a rank whose messages cannot be cut.
WHERRY_TEST(packets_that_cannot_be_are_an_error_everywhere, ranks(1, 2, 3, 4)) {
  const wherry::communicator comm(test.comm);
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const bool odd = test.rank == test.size - 1;
  wherry::plans::schedule_builder made("ring", test.rank);
  const std::int64_t extents[] = {1}, strides[] = {8};
  made.add_field({"u", 8, 0, 16});
  made.send(next, wherry::plans::strided_block(0, 8, 0, extents, strides));
  made.receive(before, wherry::plans::strided_block(0, 8, 8, extents, strides));
  const auto ring = made.finish();

  if (test.size > 1) {
    auto bad = ring;
    if (odd) bad.stages[0].sends[0].first = 1000;
    all_throw(test, "a row that there is not", wherry::error_kind::argument, odd ? "row" : "",
              [&] { wherry::exchange(comm, bad, {}, {.packet_bytes = 8}); });
    all_throw(test, "packets on one rank alone", wherry::error_kind::mismatch, "",
              [&] { wherry::exchange(comm, ring, {}, {.packet_bytes = odd ? 8 : 0}); });
  }
  wherry::exchange good(comm, ring, {}, {.packet_bytes = 8});
  double u[] = {static_cast<double>(test.rank), -1};
  void* const table[] = {u};
  good.start(table);
  good.wait();
  CHECK_EQUAL(u[1], static_cast<double>(before));
  const wherry::process_grid grid(comm, {.periodic = {true}});
  wherry::bcast_exchange(grid, {.carry = {.packet_bytes = 8}}, wherry::view<double, 1>(u, {2}))();
  CHECK_EQUAL(u[0], 0.0);
}
