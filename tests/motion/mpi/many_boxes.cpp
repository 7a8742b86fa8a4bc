// Very many small boxes: what a bound mover keeps of each, and that all of them are filled.
#include <malloc.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;
using wherry::index_t;

namespace {

constexpr index_t extent = 4;
using array = wherry::x_array<unsigned char, 3>;

unsigned char value(const wherry::point<3>& p, index_t n) {
  index_t sum = 0;
  for (const auto x : p) sum = sum * 131 + (x + n) % n;
  return static_cast<unsigned char>(sum % 251);
}

/// A cube of cubes, dealt to the ranks in slabs.
wherry::floor_plan<3> cubes(index_t side, int ranks) {
  std::vector<wherry::box<3>> boxes;
  wherry::owner_map owners;
  for_each_point(wherry::box_of_extents<3>(wherry::filled<3>(side)), [&](const wherry::point<3>& p) {
    wherry::box<3> b;
    for (std::size_t d = 0; d < 3; ++d) b.lower[d] = p[d] * extent, b.upper[d] = b.lower[d] + extent;
    boxes.push_back(b);
    owners.push_back(static_cast<int>(p[2] * ranks / side));
  });
  return {std::move(boxes), std::move(owners)};
}

/// Bytes of the heap in use; 0 where a sanitizer has a heap of its own.
double heap_in_use() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

void fill_ghosts_of(index_t side, const context& test) {
  const wherry::communicator comm(test.comm);
  const auto boxes = static_cast<double>(side * side * side);
  const auto space = wherry::domain<3>::torus(wherry::box_of_extents<3>(wherry::filled<3>(side * extent)));
  const double before = heap_in_use();
  array u(comm, cubes(side, comm.size()), {.ghost_width = 1});
  wherry::mover move(wherry::halo_motion<3>(u.plan(), 1, space), u, u);
  double bytes = heap_in_use() - before;
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, test.comm);
  if (fault(heap_in_use() > 0 && u.shape().space == wherry::memory_space::node_shared && bytes / boxes > 1800))
    FAIL(std::to_string(bytes / boxes) + " bytes a box");

  const index_t n = side * extent;
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&](const auto& p) { values(p, 0) = value(p, n); });
  for (int turn = 0; turn < 2; ++turn) move();
  long wrong = 0;
  for (const auto& block : u.blocks())
    for_each_point(block.values.cells(), [&](const auto& p) { wrong += block.values(p, 0) == value(p, n) ? 0 : 1; });
  CHECK_EQUAL(wrong, 0);
}

/// Unequal boxes in rows and columns: hardly two sections lie alike.
wherry::floor_plan<3> unequal(index_t side, int ranks) {
  const auto cut = [](index_t i, std::size_t d) {
    index_t at = 0;
    for (index_t k = 0; k < i; ++k) at += 2 + (k * (3 + 2 * static_cast<index_t>(d)) + k * k) % 11;
    return at;
  };
  std::vector<wherry::box<3>> boxes;
  wherry::owner_map owners;
  for_each_point(wherry::box_of_extents<3>(wherry::filled<3>(side)), [&](const wherry::point<3>& p) {
    wherry::box<3> b;
    for (std::size_t d = 0; d < 3; ++d) b.lower[d] = cut(p[d], d), b.upper[d] = cut(p[d] + 1, d);
    boxes.push_back(b);
    owners.push_back(static_cast<int>((p[0] + p[2]) % ranks));
  });
  return {std::move(boxes), std::move(owners)};
}

/// By plain arithmetic: what each ghost cell must hold.
long wrong_ghosts(const array& u, const wherry::box<3>& whole) {
  long wrong = 0;
  for (const auto& block : u.blocks())
    for_each_point(block.values.cells(), [&](const auto& p) {
      if (block.core.contains(p)) return;
      auto q = p;
      for (std::size_t d = 0; d < 3; ++d) q[d] = (p[d] + whole.upper[d]) % whole.upper[d];
      wrong += block.values(p, 0) == value(q, 1000) ? 0 : 1;
    });
  return wrong;
}

}  // namespace

WHERRY_TEST(as_many_shapes_as_sections, ranks(1, 2, 3, 4, 8)) {
  const wherry::communicator comm(test.comm);
  const auto floor = unequal(10, comm.size());
  const auto space = wherry::domain<3>::torus(floor.bounding_box());
  // From an array to itself, and to another one that lies otherwise.
  array u(comm, floor, {.ghost_width = 1}), v(comm, floor, {.ghost_width = 2});
  const auto motions = wherry::halo_motion<3>(floor, 1, space);
  wherry::mover within(motions, u, u), across(motions, u, v);
  for (const auto& [number, cells, values] : u.blocks())
    for_each_point(cells, [&](const auto& p) { values(p, 0) = value(p, 1000); });
  for (int turn = 0; turn < 2; ++turn) within(), across();
  CHECK_EQUAL(wrong_ghosts(u, space.cells), 0);
  long wrong = 0;
  for (const auto& block : v.blocks())
    for_each_point(wherry::grow(block.core, 1), [&](const auto& p) {
      if (!block.core.contains(p)) wrong += block.values(p, 0) == u[block.number](p, 0) ? 0 : 1;
    });
  CHECK_EQUAL(wrong, 0);
}

WHERRY_TEST(a_box_costs_at_most_1800_bytes, ranks(1, 2, 4)) { fill_ghosts_of(24, test); }

WHERRY_TEST(a_million_boxes, ranks(2)) {
  if (std::getenv("WHERRY_TEST_LARGE") == nullptr) test.skip("needs 6 GB: ./run test --large");
  fill_ghosts_of(100, test);
}
