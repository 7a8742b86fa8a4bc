// Floor plans, widths, stencils and domains that differ between ranks, and partial floor plans that know less than a
// motion needs: errors when a mover is bound, on all ranks, before anything is sent.
#include <functional>
#include <string>
#include <vector>

#include "wherry/blocks/ghost_filler.hpp"
#include "wherry/halo/halo_exchange.hpp"
#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/index_mover.hpp"
#include "wherry/motion/index_resolve.hpp"
#include "wherry/motion/motions.hpp"
#include "wherry/motion/mover.hpp"
#include "wherry/motion/resolve.hpp"

#include "support/all_throw.hpp"
#include "support/case_runner.hpp"

using wherry::error_kind;
using wherry::index_t;
using namespace wherry_test;

// enough

namespace {

using line = wherry::x_array<double, 1>;

struct ring_of_cells {
  wherry::communicator comm;
  int rank, size;
  wherry::domain<1> space;

  explicit ring_of_cells(const context& test)
      : comm(test.comm), rank(test.rank), size(test.size), space(wherry::domain<1>::torus({{0}, {10 * test.size}})) {}

  /// 10 cells a rank; on the last rank one border lies elsewhere.
  wherry::floor_plan<1> cut(bool wrongly) const {
    wherry::floor_plan<1> plan;
    const index_t off = wrongly && rank == size - 1 ? 1 : 0;
    for (int i = 0; i < size; ++i) plan.add({{10 * i + (i == 1 ? off : 0)}, {10 * i + 10 + (i == 0 ? off : 0)}}, i);
    return plan;
  }
  std::vector<wherry::box<1>> mine() const { return {{{10 * rank}, {10 * rank + 10}}}; }
  line cells(const wherry::floor_plan<1>& plan, index_t ghost = 1) const {
    return line(comm, plan, {.ghost_width = ghost});
  }

  /// Each rank's error names its own box.
  void differ(const context& test, const std::string& title, const std::string& words,
              const std::function<void()>& act) const {
    all_throw(test, title, error_kind::mismatch, rank == size - 1 ? words : "the ranks disagree on", act);
  }
};

}  // namespace

WHERRY_TEST(floor_plans_that_differ, ranks(2, 3, 4)) {
  const ring_of_cells ring(test);
  auto u = ring.cells(ring.cut(true)), right = ring.cells(ring.cut(false));
  const auto here =
      "the ranks disagree on box 0 of the floor plan of the source: it is '(0) to (11), of rank 0' here "
      "and '(0) to (10), of rank 0' on rank 0";
  ring.differ(test, "ghosts", here, [&] { wherry::ghost_filler(u, ring.space); });
  ring.differ(test, "mover", here,
              [&] { wherry::mover(wherry::redistribution(ring.cut(true), ring.cut(true)), u, u); });
  ring.differ(test, "source", here,
              [&] { wherry::mover(wherry::redistribution(ring.cut(false), ring.cut(false)), u, right); });
  ring.differ(test, "destination", "box 0 of the floor plan of the destination",
              [&] { wherry::mover(wherry::redistribution(ring.cut(false), ring.cut(false)), right, u); });
  ring.differ(test, "a list", "box 0 of the floor plan of the source in movement 1", [&] {
    const auto motions = wherry::redistribution(ring.cut(false), ring.cut(false));
    wherry::mover({{motions, right, right}, {motions, u, right}});
  });
  const auto made_of = "the floor plans, widths, domain or stencil";
  ring.differ(test, "motions", made_of,
              [&] { wherry::mover(wherry::redistribution(ring.cut(true), ring.cut(true)), right, right); });
  const index_t odd = ring.rank == ring.size - 1 ? 1 : 0;
  ring.differ(test, "the domain", made_of,
              [&] { wherry::ghost_filler(right, wherry::domain<1>::torus({{0}, {10 * ring.size + odd}})); });
  ring.differ(test, "the periodicity", made_of,
              [&] { wherry::ghost_filler(right, odd != 0 ? wherry::domain<1>::open(ring.space.cells) : ring.space); });
  ring.differ(test, "the widths", made_of, [&] {
    wherry::mover(wherry::halo_motion(ring.cut(false), wherry::halo_widths<1>(odd), ring.space).reversed(), right,
                  right);
  });
  ring.differ(test, "a ghost_filler of sums", "box 0 of the floor plan of the source in movement 0 of stage 0",
              [&] { wherry::ghost_filler(u, ring.space, {.combine_copies = std::plus<>{}}); });
  wherry::ghost_filler(right, ring.space)();
}

WHERRY_TEST(index_floor_plans_that_differ, ranks(2, 3)) {
  const ring_of_cells ring(test);
  const auto parts = [&](bool wrongly) {
    wherry::index_floor_plan<> plan;
    for (int i = 0; i < ring.size; ++i)
      plan.add(wherry::index_set::range(10 * i, 10 * i + (wrongly && i == 0 && ring.rank == ring.size - 1 ? 11 : 10)),
               i);
    return plan;
  };
  wherry::index_array<double> u(ring.comm, parts(true)), right(ring.comm, parts(false));
  ring.differ(test, "arrays", "the floor plan of the source",
              [&] { wherry::mover(wherry::redistribution(parts(false), parts(false)), u, right); });
  ring.differ(test, "motions", "the floor plans, widths, domain or stencil",
              [&] { wherry::mover(wherry::redistribution(parts(true), parts(true)), right, right); });
}

WHERRY_TEST(partial_plans_that_know_too_little, ranks(2, 3, 4)) {
  const ring_of_cells ring(test);
  const auto& comm = ring.comm;
  const auto own = wherry::distributed_floor_plan<1>(comm, ring.mine());
  const auto near = wherry::resolve(comm, own, wherry::halo_widths<1>(1), ring.space);
  const auto open = wherry::resolve(comm, own, wherry::halo_widths<1>(2), wherry::domain<1>::open(ring.space.cells));
  const auto too_little = [&](const std::string& title, const std::string& words, const std::function<void()>& act) {
    all_throw(test, title, error_kind::argument, words, act);
  };
  const auto fill = [&](const wherry::floor_plan<1>& plan, index_t ghost) {
    return [&ring, plan, ghost] {
      auto u = ring.cells(plan, ghost);
      wherry::ghost_filler(u, ring.space);
    };
  };
  too_little("a reach of 0", "resolved for a reach of 0 downwards and 0 upwards",
             fill(wherry::distributed_floor_plan<1>(comm, ring.mine(), 0, ring.space), 1));
  too_little("of its own alone", "resolved for nothing", fill(own, 1));
  too_little("ghosts beyond the reach", "needs a reach of 2 downwards and 2 upwards", fill(near, 2));
  too_little("edges that are not periodic", "resolved for a reach of 2 downwards and 2 upwards", fill(open, 1));
  too_little("nodes", "needs a reach of", [&] {
    line u(comm, near, {.ghost_width = 1, .centring = wherry::centring<1>::nodes()});
    wherry::ghost_filler(u, ring.space);
  });
  too_little("copies", "the partial floor plan knows too little", [&] {
    auto u = ring.cells(own);
    wherry::ghost_filler(u, ring.space, {.combine_copies = std::plus<>{}, .contributing = 1});
  });
  too_little("two plans", "were not resolved together", [&] {
    auto u = ring.cells(own), v = ring.cells(near);
    wherry::mover(wherry::redistribution(own, near), u, v);
  });
  too_little("a halo exchange", "the partial floor plan knows too little", [&] {
    wherry::field<double, 1> u(comm, {10}, 1);
    wherry::halo_exchange(comm, own, ring.space, {}, {{halo_of(u)}});
  });
  const auto touched = wherry::distributed_floor_plan(
      comm, std::vector<wherry::index_set>{wherry::index_set::range(10 * ring.rank, 10 * ring.rank + 11)});
  CHECK_THROWS_WITH(wherry::without_overlap(touched, ring.rank), "resolved for nothing");
  too_little("index domains", "resolved for nothing", [&] {
    wherry::index_array<double> nodes(comm, touched);
    wherry::mover(wherry::halo_motion(touched, touched), nodes, nodes);
  });
  // Enough.
  fill(near, 1)();
  fill(wherry::resolve(comm, near, wherry::halo_widths<1>(2), ring.space), 2)();
  const auto both = wherry::resolve(comm, own, near, wherry::domain<1>{});
  auto u = ring.cells(both.from), v = ring.cells(both.to);
  wherry::mover(wherry::redistribution(both.from, both.to), u, v)();
  // Of a plan that somebody has written down nobody knows what it knows.
  fill(wherry::floor_plan<1>(ring.size, {ring.rank}, ring.mine(), {ring.rank}), 1)();
}
