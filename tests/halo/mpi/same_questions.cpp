// All that carries takes the same options, and can be asked the same.
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

/// What has been carried once by `two_sided`.
template <class Carrying> void answers(Carrying& carrying) {
  CHECK_EQUAL(carrying.transport(), "two_sided");
  CHECK_EQUAL(carrying.statistics().exchanges, 0u);
  carrying();
  CHECK_EQUAL(carrying.statistics().exchanges, 1u);
  CHECK_EQUAL(carrying.statistics().bytes_sent, carrying.schedule().bytes_sent());
  CHECK(carrying.explain().find("two_sided") != std::string::npos);
}

}  // namespace

/// Every pattern.
void ask_all(const context& test, const wherry::carry_options& by_messages) {
  const wherry::process_grid grid(test.comm, {.periodic = {true}});
  const auto& comm = grid.comm();
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  wherry::field<double, 1> u(comm, {4}, 1), all(comm, {test.rank == 0 ? 4 * test.size : 0}, 0);
  std::vector<double> out(4, test.rank), in(4), values(3, test.rank);

  wherry::halo_exchange halo(grid, {.carry = by_messages}, u);
  answers(halo);

  wherry::index_lists lists;
  lists.sends.push_back({next, {1}});
  lists.receives.push_back({before, {2}});
  wherry::index_exchange indices(comm, lists, {.carry = by_messages}, values);
  answers(indices);
  CHECK_EQUAL(values[2], static_cast<double>(before));

  wherry::buffer_exchange buffers(grid, by_messages);
  buffers.send_to({1}, out.data(), 32);
  buffers.receive_from({-1}, in.data(), 32);
  buffers.setup();
  answers(buffers);
  CHECK_EQUAL(in[3], static_cast<double>(before));

  wherry::all_to_all ring(comm, by_messages);
  ring.send(next, out.data(), 32);
  ring.receive(before, in.data(), 32);
  ring.setup();
  answers(ring);

  for (auto& value : values) value = test.rank;
  wherry::grid_broadcast everywhere(grid, 1, {.carry = by_messages}, wherry::view<double, 1>(values.data(), {3}));
  answers(everywhere);
  CHECK_EQUAL(values[0], 1.0);
  wherry::grid_gather together(grid, 0, {.carry = by_messages}, u, all);
  answers(together);
  wherry::grid_scatter apart(grid, 0, {.carry = by_messages}, all, u);
  answers(apart);

  wherry::floor_plan<1> plan;
  for (int r = 0; r < test.size; ++r) plan.add({{4 * r}, {4 * r + 4}}, r);
  wherry::x_array<double, 1> w(comm, plan, {.ghost = 1});
  CHECK(w.floor().boxes().data() == plan.boxes().data());  // not a copy
  wherry::mover fill(wherry::halo_motion(w.floor(), wherry::halo_widths<1>(1), {}), {.carry = by_messages}, w, w);
  answers(fill);
}

WHERRY_TEST(what_carries_is_asked_alike, ranks(2, 3)) { ask_all(test, {.transport = "two_sided"}); }

// Then `auto` is two_sided.
WHERRY_TEST(all_that_carries_does_so_in_packets, ranks(2, 3)) { ask_all(test, {.packet_bytes = 8}); }
