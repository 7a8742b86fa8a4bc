// Halo exchanges by the C interface, against the values that each cell must have.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "wherry.h"

#include "c/says.hpp"
#include "harness/harness.hpp"

namespace {

using namespace wherry_test;

constexpr double untouched = -1;

/// A field of doubles over a grid whose cells are numbered globally.
struct numbered {
  wherry_box mine{};
  std::vector<std::int64_t> extents;  // of the array
  std::vector<double> values;
  wherry_field field{};
};

struct mesh {
  int dimensions = 0;
  std::int64_t width = 0;
  std::vector<std::int64_t> cells;
  std::vector<int> periodic;
  bool faces = false, c_order = false;
};

double number_of(const mesh& all, const std::vector<std::int64_t>& cell) {
  double number = 1;
  for (int d = all.dimensions - 1; d >= 0; --d)
    number = number * static_cast<double>(all.cells[static_cast<std::size_t>(d)]) +
             static_cast<double>(cell[static_cast<std::size_t>(d)]);
  return number;
}

/// Calls `visit(value, cell)` with the global indices of each cell of the array.
template <class Visit> void for_each_cell(const mesh& all, numbered& u, Visit&& visit) {
  std::vector<std::int64_t> at(static_cast<std::size_t>(all.dimensions), 0), cell(at);
  for (std::size_t i = 0; i < u.values.size(); ++i) {
    std::int64_t place = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      place += at[d] * u.field.array.strides[d];
      cell[d] = u.mine.lower[d] - all.width + at[d];
    }
    visit(u.values[static_cast<std::size_t>(place)], cell);
    for (std::size_t d = 0; d < at.size() && ++at[d] == u.extents[d]; ++d) at[d] = 0;
  }
}

/// The value that a cell has after the exchange.
double expected(const mesh& all, const numbered& u, std::vector<std::int64_t> cell) {
  int beyond = 0;
  for (std::size_t d = 0; d < cell.size(); ++d) {
    const bool outside = cell[d] < u.mine.lower[d] || cell[d] >= u.mine.upper[d];
    beyond += outside ? 1 : 0;
    if (cell[d] >= 0 && cell[d] < all.cells[d]) continue;
    if (all.periodic[d] == 0) return untouched;
    cell[d] = (cell[d] % all.cells[d] + all.cells[d]) % all.cells[d];
  }
  return beyond > 1 && all.faces ? untouched : number_of(all, cell);
}

numbered make_field(const mesh& all, wherry_process_grid grid) {
  numbered u;
  succeeds(wherry_owned_box(grid, all.dimensions, all.cells.data(), nullptr, &u.mine));
  std::int64_t size = 1;
  for (int d = 0; d < all.dimensions; ++d) {
    u.extents.push_back(u.mine.upper[d] - u.mine.lower[d] + 2 * all.width);
    size *= u.extents.back();
  }
  u.values.assign(static_cast<std::size_t>(size), untouched);
  const auto make = all.c_order ? wherry_c_array : wherry_fortran_array;
  u.field = wherry_field_inside(make(u.values.data(), WHERRY_FLOAT64, all.dimensions, u.extents.data()), all.width);
  return u;
}

void fill_core(const mesh& all, numbered& u) {
  for_each_cell(all, u, [&](double& value, const std::vector<std::int64_t>& cell) {
    bool inside = true;
    for (std::size_t d = 0; d < cell.size(); ++d)
      inside = inside && cell[d] >= u.mine.lower[d] && cell[d] < u.mine.upper[d];
    value = inside ? number_of(all, cell) : untouched;
  });
}

void check_all(const mesh& all, numbered& u, const std::string& title) {
  int wrong = 0;
  for_each_cell(all, u, [&](double& value, const std::vector<std::int64_t>& cell) {
    if (value != expected(all, u, cell)) ++wrong;
  });
  if (fault(wrong > 0)) FAIL(title + ": " + std::to_string(wrong) + " cells are wrong");
}

mesh random_mesh(std::mt19937_64& random, int ranks) {
  const auto pick = [&](int least, int most) { return std::uniform_int_distribution<int>(least, most)(random); };
  mesh all;
  all.dimensions = pick(1, 4);
  all.width = pick(0, 2);
  for (int d = 0; d < all.dimensions; ++d) {
    all.cells.push_back(pick(2, 4) * ranks);  // each rank's core is as wide as the halo at least
    all.periodic.push_back(pick(0, 1));
  }
  all.faces = pick(0, 1) == 1;
  all.c_order = pick(0, 1) == 1;
  return all;
}

std::string words_of(const mesh& all, int number) {
  return "case " + std::to_string(number) + ", " + std::to_string(all.dimensions) + " dimensions, width " +
         std::to_string(all.width) + (all.faces ? ", faces" : ", all") + (all.c_order ? ", C" : ", Fortran");
}

}  // namespace

WHERRY_TEST(halos_have_their_owners_values, ranks(1, 2, 3, 4)) {
  std::mt19937_64 random(test.seed);
  wherry_communicator comm = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  constexpr int cases = 12;
  for (int number = 0; number < cases; ++number) {
    const auto all = random_mesh(random, test.size);
    const auto title = words_of(all, number);
    test.note(title);
    wherry_process_grid grid = nullptr;
    wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
    shape.periodic = all.periodic.data();
    succeeds(wherry_process_grid_create(comm, all.dimensions, &shape, &grid), title);
    auto u = make_field(all, grid), v = make_field(all, grid);
    wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
    if (all.faces) options.stencil = WHERRY_STENCIL_FACES;
    wherry_exchange fill = nullptr;
    succeeds(wherry_halo_exchange_create(grid, 1, &u.field, &options, &fill), title);
    // The objects that it was made of are not needed any more.
    succeeds(wherry_process_grid_free(&grid));
    CHECK(grid == nullptr);
    fill_core(all, u);
    succeeds(wherry_exchange_run(fill), title);
    check_all(all, u, title);
    // Another array of the same shape, in split phase.
    fill_core(all, v);
    void* const other[] = {v.values.data()};
    succeeds(wherry_exchange_start_with(fill, 1, other), title);
    int done = 0;
    while (done == 0) succeeds(wherry_exchange_test(fill, &done), title);
    check_all(all, v, title + ", another array");
    // Two fields in one message, and then one of them.
    const wherry_field both[] = {u.field, v.field};
    wherry_exchange fills = nullptr, first = nullptr;
    grid = nullptr;
    succeeds(wherry_process_grid_create(comm, all.dimensions, &shape, &grid), title);
    succeeds(wherry_halo_exchange_create(grid, 2, both, &options, &fills), title);
    fill_core(all, u);
    fill_core(all, v);
    succeeds(wherry_exchange_run(fills), title);
    check_all(all, u, title + ", first of two");
    check_all(all, v, title + ", second of two");
    const int chosen[] = {0};
    succeeds(wherry_halo_exchange_only(fills, 1, chosen, -1, &first), title);
    succeeds(wherry_exchange_free(&fills));
    fill_core(all, u);
    fill_core(all, v);
    const auto before = v.values;
    succeeds(wherry_exchange_run(first), title);
    check_all(all, u, title + ", the first alone");
    CHECK(v.values == before);
    succeeds(wherry_exchange_free(&first));
    // Both, in another order, with other arrays.
    grid = nullptr;
    succeeds(wherry_process_grid_create(comm, all.dimensions, &shape, &grid));
    succeeds(wherry_halo_exchange_create(grid, 2, both, &options, &fills), title);
    const int swapped[] = {1, 0};
    wherry_exchange both_swapped = nullptr;
    succeeds(wherry_halo_exchange_only(fills, 2, swapped, -1, &both_swapped), title);
    void* const as_swapped[] = {v.values.data(), u.values.data()};
    fill_core(all, u);
    fill_core(all, v);
    succeeds(wherry_exchange_start_with(both_swapped, 2, as_swapped), title);
    succeeds(wherry_exchange_wait(both_swapped), title);
    check_all(all, u, title + ", first of two swapped");
    check_all(all, v, title + ", second of two swapped");
    const int last[] = {1};
    wherry_exchange second = nullptr;
    succeeds(wherry_halo_exchange_only(fills, 1, last, -1, &second), title);
    void* const other_array[] = {u.values.data()};
    fill_core(all, u);
    succeeds(wherry_exchange_start_with(second, 1, other_array), title);
    succeeds(wherry_exchange_wait(second), title);
    check_all(all, u, title + ", the second field with another array");
    succeeds(wherry_exchange_free(&second));
    succeeds(wherry_exchange_free(&both_swapped));
    succeeds(wherry_exchange_free(&fills));
    succeeds(wherry_process_grid_free(&grid));
    succeeds(wherry_exchange_free(&fill));
    succeeds(wherry_process_grid_free(&grid));
  }
  succeeds(wherry_communicator_free(&comm));
  test.count_cases(cases, cases);
}

WHERRY_TEST(halos_are_summed_at_their_owners, ranks(1, 2, 3, 4)) {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const int periodic[] = {1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  succeeds(wherry_process_grid_create(comm, 1, &shape, &grid));
  const std::int64_t extent = 7;  // 5 cells and a halo of 1
  const auto sum = [](void* into, const void* from, std::size_t count, void* context) {
    ++*static_cast<int*>(context);
    for (std::size_t i = 0; i < count; ++i) static_cast<double*>(into)[i] += static_cast<const double*>(from)[i];
    return 0;
  };
  int calls = 0;
  for (const bool by_function : {false, true}) {
    std::vector<double> values(7, 1);
    const auto field = wherry_field_inside(wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &extent), 1);
    wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
    options.reverse = 1;
    if (by_function)
      options.update = {WHERRY_NO_OPERATION, sum, &calls, "sum", WHERRY_FLOAT64};
    else
      options.update.operation = WHERRY_ADD;
    wherry_exchange add = nullptr;
    succeeds(wherry_halo_exchange_create(grid, 1, &field, &options, &add));
    succeeds(wherry_exchange_run(add));
    CHECK_EQUAL(values, (std::vector<double>{1, 2, 1, 1, 1, 2, 1}));
    succeeds(wherry_exchange_free(&add));
  }
  CHECK(calls > 0);
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(a_function_that_fails_is_an_error, ranks(1, 2)) {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const int periodic[] = {1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  succeeds(wherry_process_grid_create(comm, 1, &shape, &grid));
  const std::int64_t extent = 7;
  std::vector<double> values(7, 1);
  const auto field = wherry_field_inside(wherry_c_array(values.data(), WHERRY_FLOAT64, 1, &extent), 1);
  wherry_halo_options options = WHERRY_INIT(wherry_halo_options);
  options.reverse = 1;
  options.update = {WHERRY_NO_OPERATION, [](void*, const void*, std::size_t, void*) { return 7; }, nullptr, "never",
                    WHERRY_FLOAT64};
  wherry_exchange add = nullptr;
  succeeds(wherry_halo_exchange_create(grid, 1, &field, &options, &add));
  fails("run", wherry_exchange_run(add), WHERRY_ERROR_RESOURCE, "the program's function returned 7");
  succeeds(wherry_exchange_abandon(add));
  succeeds(wherry_exchange_free(&add));
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
}

WHERRY_TEST(memory_of_the_node_is_exchanged_and_freed, ranks(1, 2, 3)) {
  wherry_communicator comm = nullptr;
  wherry_process_grid grid = nullptr;
  succeeds(wherry_communicator_create(test.comm, &comm));
  const int periodic[] = {1};
  wherry_process_grid_options shape = WHERRY_INIT(wherry_process_grid_options);
  shape.periodic = periodic;
  succeeds(wherry_process_grid_create(comm, 1, &shape, &grid));
  void* memory = nullptr;
  succeeds(wherry_allocate(comm, 1000 * sizeof(std::int32_t), &memory));
  auto* const values = static_cast<std::int32_t*>(memory);
  CHECK_EQUAL(values[999], 0);
  for (int i = 0; i < 1000; ++i) values[i] = test.rank;
  const std::int64_t extent = 1000;
  const auto field = wherry_field_inside(wherry_c_array(values, WHERRY_INT32, 1, &extent), 2);
  wherry_exchange fill = nullptr;
  succeeds(wherry_halo_exchange_create(grid, 1, &field, nullptr, &fill));
  succeeds(wherry_exchange_run(fill));
  CHECK_EQUAL(values[0], (test.rank + test.size - 1) % test.size);
  CHECK_EQUAL(values[999], (test.rank + 1) % test.size);
  const char* text = nullptr;
  succeeds(wherry_exchange_explain(fill, &text));
  CHECK(std::string(text).size() > 20);
  succeeds(wherry_exchange_to_json(fill, &text));
  CHECK_EQUAL(std::string(text).substr(0, 1), "{");
  succeeds(wherry_exchange_transport(fill, &text));
  CHECK(!std::string(text).empty());
  wherry_statistics moved{};
  succeeds(wherry_exchange_statistics(fill, &moved));
  CHECK_EQUAL(moved.exchanges, 1U);
  succeeds(wherry_exchange_free(&fill));
  succeeds(wherry_free(&memory));
  CHECK(memory == nullptr);
  succeeds(wherry_free(&memory));
  memory = &fill;
  fails("free", wherry_free(&memory), WHERRY_ERROR_ARGUMENT, "no address that wherry_allocate returned");
  succeeds(wherry_process_grid_free(&grid));
  succeeds(wherry_communicator_free(&comm));
}
