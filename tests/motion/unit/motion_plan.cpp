// Motion plans as lists: entries changed, taken out, gone through.
#include "wherry/motion/motion_plan.hpp"

#include "harness/harness.hpp"

WHERRY_UNIT_TEST(motion_plans_can_be_edited) {
  wherry::motion_plan<1> plan;
  for (int i = 0; i < 6; ++i) plan.copy(i, {{i}, {i + 1}}, 5 - i, {{10 + i}, {11 + i}});
  for (auto& entry : plan) entry.to += 1;
  plan[2].source = {{7}, {8}};
  plan.remove(0);
  CHECK_EQUAL(plan.remove_if([](const auto& entry) { return entry.from % 2 == 1; }), 3u);
  wherry::motion_plan<1> expected;
  expected.copy(2, {{7}, {8}}, 4, {{12}, {13}});
  expected.copy(4, {{4}, {5}}, 2, {{14}, {15}});
  CHECK(plan == expected);
  CHECK_THROWS_WITH(plan.remove(2), "there is no entry 2; the plan has 2");
  plan.clear();
  CHECK(plan.empty());
}
