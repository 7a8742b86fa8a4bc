// Fields that are freed before an exchange is started, or while it is under way: the arena knows, and what comes after
// works.
#include <functional>
#include <memory>
#include <optional>
#include <string>
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

WHERRY_TEST(fields_freed_under_way_are_found, ranks(1, 2, 3)) {
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

WHERRY_TEST(x_arrays_freed_under_way_are_found, ranks(1, 2)) {
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

namespace {

/// Bound to memory that then goes; somebody else has it when it is started.
struct started_late {
  std::string name;
  std::function<std::shared_ptr<void>()> make;  // the memory
  std::function<std::function<void()>(void*)> bind;
};

template <class Array> std::shared_ptr<void> held(Array made) { return std::make_shared<Array>(std::move(made)); }

}  // namespace

WHERRY_TEST(what_was_freed_before_start_is_refused, ranks(1, 2, 3)) {
  const wherry::process_grid ring(test.comm, {.periodic = {true}});
  const auto& comm = ring.comm();
  if (comm.arena() == nullptr) test.skip("of memory of the heap nobody knows whether it was freed");
  const auto space = wherry::domain<1>::torus({{0}, {8 * test.size}});
  const auto plan = wherry::decompose(space.cells, test.size);
  using array = wherry::x_array<double, 1>;
  using list = wherry::node_vector<double>;
  const int next = (test.rank + 1) % test.size, before = (test.rank + test.size - 1) % test.size;
  const wherry::index_lists lists{{{next, {1}}}, {{before, {0}}}};
  const auto bound = [](auto pattern) {
    return [kept = std::make_shared<decltype(pattern)>(std::move(pattern))] { kept->start(); };
  };
  const started_late all[] = {
      {"halo", [&] { return held(field(comm, {8}, 1)); },
       [&](void* u) { return bound(wherry::halo_exchange(ring, *static_cast<field*>(u))); }},
      {"part of a halo", [&] { return held(field(comm, {8}, 1)); },
       [&](void* u) {
         auto& whole = *static_cast<field*>(u);
         const wherry::view<double, 1> part(whole.data() + 2, {6});
         return bound(wherry::halo_exchange(ring, wherry::halo_view<double, 1>(part, {{{1, 1, 1, 4, 6}}})));
       }},
      {"ghosts", [&] { return held(array(comm, plan, {.ghost_width = 1})); },
       [&](void* u) { return bound(wherry::ghost_filler(*static_cast<array*>(u), space)); }},
      {"mover", [&] { return held(array(comm, plan, {.ghost_width = 1})); },
       [&](void* u) {
         auto& cells = *static_cast<array*>(u);
         return bound(wherry::mover(wherry::halo_motion(plan, wherry::halo_widths<1>(1), space), cells, cells));
       }},
      {"index lists", [&] { return held(list(8, 0.0, comm)); },
       [&](void* u) { return bound(wherry::index_exchange(comm, lists, *static_cast<list*>(u))); }},
      {"writer", [&] { return held(array(comm, plan)); },
       [&](void* u) {
         auto writer = std::make_shared<wherry::array_writer>(*static_cast<array*>(u));
         return [writer] { writer->start("/tmp/wherry_never_written.array"); };
       }},
  };
  for (const auto& one : all) {
    auto memory = one.make();
    const auto start = one.bind(memory.get());
    memory.reset();
    all_throw(test, one.name + ", free", error_kind::state, "was freed before start", start);
    memory = one.make();  // where the one before was
    all_throw(test, one.name + ", somebody else's", error_kind::state, "was freed before start", start);
  }
  check_works(ring, test);
}

WHERRY_TEST(a_field_given_to_the_last_start_was_freed, ranks(1, 2)) {
  const wherry::process_grid ring(test.comm, {.periodic = {true}});
  if (ring.comm().arena() == nullptr) test.skip("of memory of the heap nobody knows whether it was freed");
  field u(ring.comm(), {4}, 1);
  auto v = std::make_unique<field>(ring.comm(), wherry::point<1>{4}, 1);
  wherry::halo_exchange exchange(ring, u);
  exchange(*v);
  v.reset();
  all_throw(test, "free", error_kind::state, "was freed before start", [&] { exchange.start(); });
  v = std::make_unique<field>(ring.comm(), wherry::point<1>{4}, 1);
  all_throw(test, "somebody else's", error_kind::state, "was freed before start", [&] { exchange.start(); });
  for (int i = 0; i < 4; ++i) u(i) = 4.0 * test.rank + i;
  exchange(u);  // others are freed, this one is there
  CHECK_EQUAL(u(4), 4.0 * ((test.rank + 1) % test.size));
  v.reset();
  exchange();
  exchange.start();
  const auto passing = std::make_unique<field>(ring.comm(), wherry::point<1>{4}, 1);
  exchange.wait();
}

WHERRY_TEST(published_fields_that_are_freed, ranks(1, 2)) {
  const wherry::communicator comm(test.comm);
  if (comm.arena() == nullptr) test.skip("of memory of the heap nobody knows whether it was freed");
  const auto space = wherry::domain<1>::torus({{0}, {8 * test.size}});
  using array = wherry::x_array<double, 1>;
  const auto make = [&] {
    return std::make_unique<array>(comm, wherry::decompose(space.cells, test.size),
                                   wherry::x_array_options<1>{.ghost_width = 1});
  };
  auto u = make();
  wherry::published_layouts layouts(comm, wherry::ghost_filler(*u, space).schedule());
  const std::vector<void*> memory(u->memory().begin(), u->memory().end());
  layouts.publish(memory);
  layouts.read(memory);
  CHECK(layouts.await_readers());
  u.reset();
  all_throw(test, "publish", error_kind::state, "was freed before this call", [&] { layouts.publish(memory); });
  all_throw(test, "read", error_kind::state, "was freed before this call", [&] { layouts.read(memory); });
  u = make();
  layouts.publish(u->memory());
  layouts.read(u->memory());
  u.reset();
  u = make();
  all_throw(test, "await_readers", error_kind::state, "was freed before all ranks had read it",
            [&] { layouts.await_readers(); });
  MPI_Barrier(test.comm);
}
