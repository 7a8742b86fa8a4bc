// Fields that are freed while an exchange is under way: the checking mode says so, and what comes after works.
#include <optional>
#include <vector>

#include "wherry/wherry.hpp"

#include "harness/harness.hpp"
#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using wherry::error_kind;
using namespace wherry_test;

namespace {

using field = wherry::field<double, 1>;

void check_works(const wherry::process_grid& ring, const context& test) {
  field u(ring.comm(), {4}, 1);
  for (int i = 0; i < 4; ++i) u(i) = 4.0 * test.rank + i;
  wherry::halo_exchange exchange(ring, u);
  exchange();
  CHECK_EQUAL(u(4), 4.0 * ((test.rank + 1) % test.size));
}

}  // namespace

WHERRY_TEST(freed_fields_are_found_when_checked, ranks(1, 2, 3)) {
  const setting checked("check", "1", "0");
  const wherry::process_grid ring(test.comm, {.periodic = {true}});
  const char* const words = "field 1 'v' was freed between start and wait";
  for (const bool by_test : {false, true}) {
    field u(ring.comm(), {4}, 1);
    std::optional<field> v(std::in_place, ring.comm(), wherry::point<1>{4}, 1, wherry::field_options<1>{.name = "v"});
    wherry::halo_exchange exchange(ring, u, *v);
    exchange.start();
    v.reset();
    const field in_its_place(ring.comm(), {4}, 1);
    all_throw(test, by_test ? "test" : "wait", error_kind::state, words,
              [&] { by_test ? static_cast<void>(exchange.test()) : exchange.wait(); });
    for (int i = -1; i < 5; ++i) CHECK_EQUAL(in_its_place(i), 0.0);
  }
  check_works(ring, test);
}

WHERRY_TEST(freed_x_arrays_are_found_when_checked, ranks(1, 2)) {
  const setting checked("check", "1", "0");
  const wherry::process_grid ring(test.comm, {.periodic = {true}});
  wherry::floor_plan<1> row;
  wherry::motion_plan<1> plan;
  for (int i = 0; i < test.size; ++i) row.add({{4 * i}, {4 * i + 4}}, i);
  for (int i = 0; i < test.size; ++i) {
    const int to = (i + 1) % test.size;
    plan.copy(i, row[i], to, row[to]);
  }
  using array = wherry::x_array<double, 1>;
  const array u(ring.comm(), row, {.name = "u"});
  std::optional<array> v(std::in_place, ring.comm(), row, wherry::x_array_options<1>{.name = "v"});
  wherry::mover move(plan, u, *v);
  move.start();
  v.reset();
  all_throw(test, "mover", error_kind::state, "field 1 'v' was freed between start and wait", [&] { move.wait(); });
  check_works(ring, test);
}

// A copy of a field is the same memory.
WHERRY_TEST(fields_that_live_on_in_copies, ranks(1, 2)) {
  const setting checked("check", "1", "0");
  const wherry::process_grid ring(test.comm, {.periodic = {true}});
  std::optional<field> u(std::in_place, ring.comm(), wherry::point<1>{4}, 1);
  field copy = *u;
  wherry::halo_exchange exchange(ring, *u);
  for (int i = 0; i < 4; ++i) copy(i) = i;
  exchange.start();
  u.reset();
  exchange.wait();
  CHECK_EQUAL(copy(-1), 3.0);
}
