// The mover's front door: halo updates, redistribution, transposition, other arrays of the same shape.
#include <cstdint>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

using box3 = wherry::box<3>;

// A periodic box of 8 × 6 × 5 cells in uneven slabs, dealt to the ranks in turn.
constexpr box3 all_cells{{-2, 0, 1}, {6, 6, 6}};

double value(const wherry::point<3>& p, int component = 0) {
  wherry::point<3> in = p;
  for (std::size_t d = 0; d < 3; ++d) {
    const index_t n = all_cells.upper[d] - all_cells.lower[d];
    in[d] = ((p[d] - all_cells.lower[d]) % n + n) % n;
  }
  return static_cast<double>(((in[2] * 17 + in[1]) * 19 + in[0]) * 3 + component);
}

wherry::floor_plan<3> bricks(int ranks, const std::vector<std::vector<index_t>>& cuts) {
  wherry::floor_plan<3> plan;
  int next = 0;
  for (std::size_t k = 0; k + 1 < cuts[2].size(); ++k)
    for (std::size_t j = 0; j + 1 < cuts[1].size(); ++j)
      for (std::size_t i = 0; i + 1 < cuts[0].size(); ++i)
        plan.add({{cuts[0][i], cuts[1][j], cuts[2][k]}, {cuts[0][i + 1], cuts[1][j + 1], cuts[2][k + 1]}},
                 next++ % ranks);
  return plan;
}

void fill(wherry::x_array<double, 3>& u) {
  for (const auto& [number, cells, values] : u.blocks())
    for (int c = 0; c < values.components(); ++c) {
      for_each_point(values.cells(), [&](const auto& p) { values(p, c) = -1; });
      for_each_point(cells, [&](const auto& p) { values(p, c) = value(p, c); });
    }
}

template <class Expected> void check(const wherry::x_array<double, 3>& u, Expected expected) {
  long wrong = 0;
  for (const auto& block : u.blocks())
    for (int c = 0; c < block.values.components(); ++c)
      for_each_point(block.values.cells(),
                     [&](const auto& p) { wrong += block.values(p, c) == expected(p, c) ? 0 : 1; });
  CHECK_EQUAL(wrong, 0);
}

}  // namespace

WHERRY_TEST(halo_update_of_bricks, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto plan = bricks(comm.size(), {{-2, 1, 2, 6}, {0, 4, 6}, {1, 3, 6}});
  const auto space = wherry::domain<3>::torus(all_cells);
  for (const int components : {1, 3}) {
    wherry::x_array<double, 3> u(comm, plan, {.ghost_width = 2, .components = components});
    wherry::mover fill_ghosts(wherry::halo_motion(plan, wherry::halo_widths<3>(2), space), u, u);
    for (int turn = 0; turn < 3; ++turn) {
      fill(u);
      fill_ghosts();
      check(u, value);
    }
    // The whole plan on every rank is the same thing.
    wherry::mover as_in_kelp(wherry::halo_motion(plan, wherry::halo_widths<3>(2), space).plan(), u, u);
    fill(u);
    as_in_kelp.start();
    as_in_kelp.wait();
    check(u, value);
  }
}

// The same in a line, bound once; with the mover's options; corners and edges or not.
WHERRY_TEST(ghosts_are_filled_in_a_line, ranks(1, 2, 3, 4, 8)) {
  const auto plan = bricks(test.size, {{-2, 1, 2, 6}, {0, 4, 6}, {1, 3, 6}});
  const auto space = wherry::domain<3>::torus(all_cells);
  wherry::x_array<double, 3> u(test.comm, plan, {.ghost_width = {{1, 2, 1}, {2, 0, 1}}, .components = 2});
  auto fill_ghosts = wherry::ghost_filler(u, space);
  for (int turn = 0; turn < 2; ++turn) {
    fill(u);
    fill_ghosts();
    check(u, value);
  }
  auto faces =
      wherry::ghost_filler(u, space, {.stencil = wherry::stencil_shape::faces(), .carry = {.transport = "two_sided"}});
  CHECK_EQUAL(faces.transport(), test.size > 1 ? "two_sided" : faces.transport());
  fill(u);
  faces();
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(values.cells(), [&, box = cells, v = values](const wherry::point<3>& p) {
      int beyond = 0;
      for (std::size_t d = 0; d < 3; ++d) beyond += p[d] < box.lower[d] || p[d] >= box.upper[d] ? 1 : 0;
      CHECK_EQUAL(v[p], beyond < 2 ? value(p) : -1.0);
    });
}

WHERRY_TEST(a_builder_that_throws_on_one_rank, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto plan = bricks(comm.size(), {{-2, 6}, {0, 6}, {1, 2, 3, 4, 5, 6}});
  wherry::x_array<double, 3> u(comm, plan);
  const wherry::box_motions<3> broken([last = comm.size() - 1](int rank, const auto&) {
    if (rank == last) throw wherry::error(wherry::error_kind::argument, "my builder", "has lost its way");
  });
  CHECK_THROWS_WITH(wherry::mover(broken, u, u), "has lost its way");
}

WHERRY_TEST(redistribution_and_back, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto slabs = bricks(comm.size(), {{-2, 6}, {0, 6}, {1, 2, 3, 4, 5, 6}});
  const auto pencils = bricks(comm.size(), {{-2, 0, 2, 4, 6}, {0, 3, 6}, {1, 6}});
  wherry::x_array<double, 3> u(comm, slabs), w(comm, slabs);
  wherry::x_array<double, 3> v(comm, pencils, {.layout = wherry::c_layout<3>()});
  const auto there = wherry::redistribution(slabs, pencils);
  wherry::mover go(there, u, v), back(there.reversed(), v, w);
  fill(u);
  go();
  check(v, value);
  back();
  check(w, value);
  // Another array of the same shape needs no new mover.
  wherry::x_array<double, 3> other(comm, slabs);
  back.start(v, other);
  while (!back.test()) {
  }
  back.wait();  // as MPI_Wait after MPI_Test
  check(other, value);
}

WHERRY_TEST(transposition, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto slabs = bricks(comm.size(), {{-2, 6}, {0, 6}, {1, 3, 4, 6}});
  // Destination (z, x, y).
  const wherry::axis_permutation<3> axes{2, 0, 1};
  wherry::floor_plan<3> turned;
  turned.add({{1, -2, 0}, {6, 1, 6}}, 0);
  turned.add({{1, 1, 0}, {6, 6, 6}}, comm.size() - 1);
  wherry::x_array<double, 3> u(comm, slabs), v(comm, turned);
  wherry::mover transpose(wherry::transposition(slabs, turned, axes), u, v);
  fill(u);
  transpose();
  check(v, [](const wherry::point<3>& q, int c) { return value({q[1], q[2], q[0]}, c); });
}

WHERRY_TEST(elements_are_converted, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto slabs = bricks(comm.size(), {{-2, 6}, {0, 6}, {1, 2, 3, 4, 5, 6}});
  const auto pencils = bricks(comm.size(), {{-2, 0, 2, 4, 6}, {0, 3, 6}, {1, 6}});
  const auto plan = wherry::redistribution(slabs, pencils);
  wherry::x_array<float, 3> u(comm, slabs);
  wherry::x_array<double, 3> v(comm, pencils, {.layout = wherry::c_layout<3>()});
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&](const auto& p) { values[p] = static_cast<float>(value(p)); });
  for (const auto* transport : wherry::transports::all_transports()) {
    if (transport->device_memory) continue;
    fill(v);
    wherry::mover store(plan, u, v, {.carry = {.transport = transport->name}});
    store();
    check(v, value);
    const auto more = [](double there, float arrived) { return there + arrived; };
    wherry::mover add(
        plan, u, v,
        {.update = wherry::make_conversion<double, float>("add", more), .carry = {.transport = transport->name}});
    add();
    check(v, [](const auto& p, int c) { return 2 * value(p, c); });
  }
}

WHERRY_TEST(messages_in_packets, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto slabs = bricks(comm.size(), {{-2, 6}, {0, 6}, {1, 2, 3, 4, 5, 6}});
  const auto pencils = bricks(comm.size(), {{-2, 0, 2, 4, 6}, {0, 3, 6}, {1, 6}});
  wherry::x_array<double, 3> u(comm, slabs, {.components = 2});
  wherry::x_array<double, 3> v(comm, pencils, {.layout = wherry::c_layout<3>(), .components = 2});
  fill(u);
  for (const std::int64_t bytes : {16, 100, 1000})
    for (const bool keep : {true, false}) {
      wherry::mover move(wherry::redistribution(slabs, pencils), u, v,
                         {.carry = {.keep_buffers = keep, .packet_bytes = bytes}});
      for (const auto& stage : move.schedule().stages)
        for (const auto& m : stage.receives) {
          std::int64_t payload = 0;
          for (const auto& b : move.schedule().blocks_of(m)) payload += b.wire_bytes();
          // One section's last layer, here a row of two components, may be larger than a packet.
          CHECK(m.count == 1 || payload <= bytes);
        }
      for (int turn = 0; turn < 2; ++turn) {
        for (const auto& block : v.blocks())
          for_each_point(block.core, [&](const auto& p) { block.values(p, 0) = block.values(p, 1) = -1; });
        move();
        check(v, value);
      }
    }
}
