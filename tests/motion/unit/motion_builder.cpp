#include "wherry/motion/motion_builder.hpp"

#include <optional>

#include "wherry/motion/index_motions.hpp"
#include "wherry/motion/motions.hpp"

#include "harness/harness.hpp"

namespace {

using builder = wherry::box_motions<1>;
using entry = wherry::motion<1>;

/// Cells [at, at + 2) of box `from` go to the start of box `to`.
entry pair_to(int from, int to, wherry::index_t at) { return {from, to, {{at}, {at + 2}}, {{0}, {2}}}; }

/// Box r of as many as there are ranks sends to box r + 1; a rank makes the entries of its own box alone.
builder chain(int ranks) {
  return builder([=](int rank, const auto& visit) {
    for (int r = 0; r + 1 < ranks; ++r)
      if (rank == wherry::plans::every_rank || rank == r || rank == r + 1) visit(pair_to(r, r + 1, 10 * r));
  });
}

}  // namespace

WHERRY_UNIT_TEST(builders_make_what_is_asked_for) {
  const auto motions = chain(4);
  CHECK_EQUAL(motions.plan().size(), 3u);
  CHECK(motions.plan(0) == wherry::motion_plan<1>({pair_to(0, 1, 0)}));
  CHECK(motions.plan(1) == wherry::motion_plan<1>({pair_to(0, 1, 0), pair_to(1, 2, 10)}));
  CHECK(motions.plan(7).empty());
  const wherry::motion_plan<1> all = motions;
  CHECK(all == motions.plan());
  CHECK(builder::of(all).plan(3) == all);  // a list is what it is
}

WHERRY_UNIT_TEST(builders_of_builders) {
  const auto motions = chain(3);
  CHECK(motions.reversed().plan() == motions.plan().reversed());
  CHECK(motions.reversed().reversed().plan() == motions.plan());
  CHECK(motions.only([](const entry& e) { return e.from == 1; }).plan() == wherry::motion_plan<1>({pair_to(1, 2, 10)}));
  const auto later = motions.transformed([](entry e) {
    e.source = shift<1>(e.source, {5});
    return e;
  });
  CHECK(later.plan() == wherry::motion_plan<1>({pair_to(0, 1, 5), pair_to(1, 2, 15)}));
}

WHERRY_UNIT_TEST(builders_outlive_their_floor_plans) {
  std::optional<builder> halo;
  std::optional<wherry::index_motions<wherry::index_set>> shared;
  {
    wherry::floor_plan<1> plan({{{0}, {4}}, {{4}, {8}}}, {0, 1});
    halo = wherry::halo_motion<1>(plan, 1, {});
    plan.add({{8}, {9}}, 1);  // after which the builder's is another one
    const wherry::index_floor_plan<> parts({{1, 2}, {2, 3}}, {0, 1});
    shared = halo_motion(without_overlap(parts), parts);
  }
  CHECK_EQUAL(halo->plan().size(), 2u);
  CHECK_EQUAL(shared->plan().size(), 1u);
}
