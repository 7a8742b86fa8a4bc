// Options of halo exchanges by the C interface, on a ring of ranks with four cells each, and ways to wait.
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

struct ring {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  int before = 0, behind = 0;

  explicit ring(const context& test, bool closed = true) {
    succeeds(wherry_communicator_create_from_fortran(MPI_Comm_c2f(test.comm), &comm));
    int rank = -1, size = -1;
    succeeds(wherry_communicator_rank(comm, &rank, &size));
    CHECK_EQUAL(rank, test.rank);
    CHECK_EQUAL(size, test.size);
    const int periodic[] = {closed ? 1 : 0};
    wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
    shape.periodic = periodic;
    succeeds(wherry_process_grid_create(comm, 1, &shape, &grid));
    const int low[] = {test.rank - 1}, high[] = {test.rank + 1};
    succeeds(wherry_process_grid_rank_at(grid, low, &before));
    succeeds(wherry_process_grid_rank_at(grid, high, &behind));
  }
  ~ring() {
    wherry_process_grid_free(&grid);
    wherry_communicator_free(&comm);
  }
};

/// A field of six doubles with a halo of one, or, with values on planes, of five cores and two halo values.
struct row {
  std::vector<double> values;
  wherry_field field{};

  explicit row(const context& test, int core = 4) : values(static_cast<std::size_t>(core) + 2, -1) {
    for (int i = 1; i <= core; ++i) values[static_cast<std::size_t>(i)] = 10 * test.rank + i;
    const auto extent = static_cast<std::int64_t>(values.size());
    field = wherry_field_inside(wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &extent), 1);
  }
};

}  // namespace

WHERRY_TEST(parts_leave_when_they_are_ready, ranks(1, 2, 3)) {
  ring all(test);
  row u(test);
  wherry_halo_part parts[2]{};
  parts[0].cells = {1, {0}, {2}};
  parts[1].cells = {1, {2}, {4}};
  wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
  options.parts = parts;
  options.part_count = 2;
  wherry_exchange fill = nullptr;
  succeeds(wherry_halo_exchange_create(all.grid, 1, &u.field, &options, &fill));
  for (int step = 0; step < 3; ++step) {
    succeeds(wherry_exchange_start_in_parts(fill));
    for (int part = 0; part < 2; ++part) {
      u.values[static_cast<std::size_t>(part == 0 ? 1 : 4)] = 100 * step + test.rank;
      succeeds(wherry_exchange_ready(fill, part));
    }
    fails("no such part", wherry_exchange_ready(fill, 2), WHERRY_ERROR_ARGUMENT, "2");
    succeeds(wherry_exchange_wait(fill));
    CHECK_EQUAL(u.values.front(), 100.0 * step + all.before);
    CHECK_EQUAL(u.values.back(), 100.0 * step + all.behind);
  }
  succeeds(wherry_exchange_free(&fill));
}

WHERRY_TEST(freeing_some_fields_in_flight_waits_for_them, ranks(1, 2, 3, 4)) {
  ring all(test);
  row u(test);
  wherry_exchange fill = nullptr, some = nullptr;
  succeeds(wherry_halo_exchange_create(all.grid, 1, &u.field, nullptr, &fill));
  const int chosen[] = {0};
  for (int round = 0; round < 3; ++round) {
    succeeds(wherry_halo_exchange_only(fill, 1, chosen, -1, &some));
    if (round > 0) succeeds(wherry_exchange_start(some));
    if (round == 2) succeeds(wherry_exchange_free(&fill));
    succeeds(wherry_exchange_free(&some));
    if (round != 1) continue;
    succeeds(wherry_halo_exchange_only(fill, 1, chosen, -1, &some));
    succeeds(wherry_exchange_start(some));  // the last flight is over
    succeeds(wherry_exchange_wait(some));
    succeeds(wherry_exchange_free(&some));
  }
}

WHERRY_TEST(waiting_for_some_names_each_peer_once, ranks(2, 3, 4)) {
  ring all(test);
  row u(test);
  wherry_exchange fill = nullptr;
  succeeds(wherry_halo_exchange_create(all.grid, 1, &u.field, nullptr, &fill));
  succeeds(wherry_exchange_start(fill));
  std::multiset<int> heard;
  for (int count = 1; count > 0;) {
    const int* ranks = nullptr;
    succeeds(wherry_exchange_wait_some(fill, &ranks, &count));
    heard.insert(ranks, ranks + count);
  }
  const std::set<int> wanted{all.before, all.behind};
  CHECK_EQUAL(std::vector<int>(heard.begin(), heard.end()), std::vector<int>(wanted.begin(), wanted.end()));
  succeeds(wherry_exchange_free(&fill));
}

WHERRY_TEST(values_on_planes_are_shared_and_summed, ranks(1, 2, 3)) {
  ring all(test, false);
  row u(test, 5);  // four cells have five planes, and neighbours share one
  u.field.on_planes[0] = 1;
  u.values = {0, 1, 1, 1, 1, 1, 0};
  wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
  options.combine_copies.operation = WHERRY_ADD;
  wherry_exchange sum = nullptr;
  succeeds(wherry_halo_exchange_create(all.grid, 1, &u.field, &options, &sum));
  succeeds(wherry_exchange_run(sum));
  CHECK_EQUAL(u.values[1], test.rank > 0 ? 2.0 : 1.0);
  CHECK_EQUAL(u.values[5], test.rank + 1 < test.size ? 2.0 : 1.0);
  CHECK_EQUAL(u.values[3], 1.0);
  succeeds(wherry_exchange_free(&sum));
}

WHERRY_TEST(only_listed_directions_are_filled, ranks(1, 2, 3)) {
  ring all(test);
  row u(test);
  const int below[] = {-1};
  wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
  options.stencil = WHERRY_STENCIL_LISTED;
  options.directions = below;
  options.direction_count = 1;
  options.carry.transport = "two_sided";
  options.carry.snapshot = 1;
  options.carry.name = "upwind";
  wherry_exchange fill = nullptr;
  succeeds(wherry_halo_exchange_create(all.grid, 1, &u.field, &options, &fill));
  succeeds(wherry_exchange_start(fill));
  u.values[4] = -7;  // sent as it was
  succeeds(wherry_exchange_wait(fill));
  CHECK_EQUAL(u.values.front(), 10.0 * all.before + 4);
  CHECK_EQUAL(u.values.back(), -1.0);
  const char* text = nullptr;
  succeeds(wherry_exchange_explain(fill, &text));
  CHECK(std::string(text).find("upwind") != std::string::npos);
  succeeds(wherry_exchange_free(&fill));
}

WHERRY_TEST(places_of_ranks_and_owners_of_cells_agree, ranks(1, 2, 3, 4)) {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  succeeds(wherry_process_grid_create(comm, 2, nullptr, &grid));
  int dimensions = 0, extents[4] = {}, at[4] = {};
  succeeds(wherry_process_grid_dimensions(grid, &dimensions));
  CHECK_EQUAL(dimensions, 2);
  succeeds(wherry_process_grid_shape(grid, extents, nullptr));
  CHECK_EQUAL(extents[0] * extents[1], test.size);
  for (int rank = 0; rank < test.size; ++rank) {
    int back = -2;
    succeeds(wherry_process_grid_coordinates(grid, rank, at));
    succeeds(wherry_process_grid_rank_at(grid, at, &back));
    CHECK_EQUAL(back, rank);
  }
  const std::int64_t cells[] = {13, 7};
  wherry_box mine{};
  succeeds(wherry_owned_box(grid, 2, cells, nullptr, &mine));
  for (std::int64_t x = 0; x < cells[0]; ++x)
    for (std::int64_t y = 0; y < cells[1]; ++y) {
      const std::int64_t cell[] = {x, y};
      int owner = -2;
      succeeds(wherry_owner_of(grid, 2, cell, cells, &owner));
      const bool inside = x >= mine.lower[0] && x < mine.upper[0] && y >= mine.lower[1] && y < mine.upper[1];
      CHECK_EQUAL(owner == test.rank, inside);
    }
  const std::int64_t outside[] = {13, 0};
  int owner = -2;
  succeeds(wherry_owner_of(grid, 2, outside, cells, &owner));
  CHECK_EQUAL(owner, -1);
  const int* node = nullptr;
  int count = 0;
  succeeds(wherry_communicator_node(comm, &node, &count));
  CHECK_EQUAL(count, test.size);
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
}
