// The rule that holds for a call, if several choosers have rules.
#include "collective/choices.hpp"

#include <cstdint>
#include <limits>

#include "harness/harness.hpp"

using wherry::collective::choices;
using wherry::collective::chooser;
using wherry::collective::kind;

namespace {

constexpr auto what = kind::alltoall;
constexpr auto any_size = std::numeric_limits<std::int64_t>::max();

int implementation_of(const choices& all, std::int64_t bytes) { return all.of(what, bytes).implementation; }

}  // namespace

WHERRY_UNIT_TEST(the_first_chooser_with_a_rule_chooses) {
  choices all;
  // The order in which the rules are added does not matter.
  all.add(what, {chooser::file, 2});
  all.add(what, {chooser::defaults, 1});
  CHECK_EQUAL(implementation_of(all, 8), 2);
  all.add(what, {chooser::program, 4, 100});
  all.add(what, {chooser::environment, 3});
  CHECK_EQUAL(implementation_of(all, 99), 3);
  CHECK_EQUAL(implementation_of(all, 100), 4);
  CHECK(all.of(what, 99).by == chooser::environment);
  CHECK(all.of(what, 100).by == chooser::program);
  const auto wished = all.of(what, 100, 7);
  CHECK_EQUAL(wished.implementation, 7);
  CHECK(wished.by == chooser::caller);
}

WHERRY_UNIT_TEST(a_later_rule_replaces_older_ones_of_its_chooser_from_its_size_on) {
  choices all;
  all.add(what, {chooser::defaults, 1});
  all.add(what, {chooser::program, 2, 100});
  all.add(what, {chooser::program, 3, 1000});
  CHECK_EQUAL(implementation_of(all, 99), 1);
  CHECK_EQUAL(implementation_of(all, 999), 2);
  CHECK_EQUAL(implementation_of(all, 1000), 3);
  all.add(what, {chooser::program, 4, 500});
  CHECK_EQUAL(implementation_of(all, 499), 2);
  CHECK_EQUAL(implementation_of(all, 500), 4);
  CHECK_EQUAL(implementation_of(all, any_size - 1), 4);
  all.add(what, {chooser::program, 5});
  CHECK_EQUAL(implementation_of(all, 0), 5);
  CHECK_EQUAL(implementation_of(all, 500), 5);
}

WHERRY_UNIT_TEST(beyond_a_rule_that_ends_the_next_chooser_chooses) {
  choices all;
  all.add(what, {chooser::defaults, 1});
  all.add(what, {chooser::defaults, 2, 1000});
  all.add(what, {chooser::file, 3, 100, 500});
  all.add(what, {chooser::file, 4, 2000});
  CHECK_EQUAL(implementation_of(all, 99), 1);
  CHECK_EQUAL(implementation_of(all, 499), 3);
  CHECK_EQUAL(implementation_of(all, 500), 1);
  CHECK_EQUAL(implementation_of(all, 1999), 2);
  CHECK_EQUAL(implementation_of(all, 2000), 4);
}

WHERRY_UNIT_TEST(a_size_that_not_all_ranks_know_counts_as_0) {
  choices all;
  all.add(what, {chooser::defaults, 1});
  all.add(what, {chooser::program, 2, 1});
  CHECK_EQUAL(implementation_of(all, -1), 1);
}
