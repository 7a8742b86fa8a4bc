// From which length on rows are read in place: fields that lie between each other are, however short their rows.
#include "transport/one_copy_row.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "wherry/core/settings.hpp"
#include "wherry/plan/schedule_builder.hpp"
#include "wherry/transport/calibration.hpp"

#include "harness/harness.hpp"

using namespace wherry_test;

namespace {

constexpr std::int64_t cells = 16, members = 7;

enum class lie { between_each_other, side_by_side, nobody_knows_where };

/// Faces to both sides of cells along a column, field by field in turn.
wherry::plans::schedule faces(lie how, std::vector<double>& memory) {
  wherry::plans::schedule_builder plan("test", 0);
  memory.resize(static_cast<std::size_t>(members * cells * cells));
  const std::int64_t step = how == lie::side_by_side ? cells * 8 : members * 8;
  for (std::int64_t f = 0; f < members; ++f) {
    const auto* const place = memory.data() + (how == lie::side_by_side ? f * cells * cells : f);
    plan.add_field({.name = "f",
                    .element = 8,
                    .lowest = 0,
                    .highest = 8 + (cells * cells - 1) * step,
                    .type = {},
                    .place = how == lie::nobody_knows_where ? nullptr : place});
  }
  const std::array<std::int64_t, 1> extents{cells - 1}, strides{step};
  for (std::int32_t f = 0; f < 6; ++f) {
    const auto offset = f % 2 == 0 ? 0 : 8;
    plan.send(1, wherry::plans::strided_block(f, 8, offset, extents, strides));
    plan.receive(1, wherry::plans::strided_block(f, 8, offset, extents, strides));
  }
  return plan.finish();
}

}  // namespace

// What fits the cache and is handed on by a later stage goes through staging, whatever its rows.
WHERRY_UNIT_TEST(what_is_handed_on_is_read_in_place_beyond_the_cache_only) {
  wherry::configure("calibration", "0");
  const auto row_of = [](int stages, std::int64_t bytes) {
    wherry::plans::schedule_builder plan("test", 0);
    plan.add_field({.name = "f", .element = 1, .lowest = 0, .highest = bytes, .type = {}, .place = nullptr});
    for (int s = 0; s < stages; ++s) {
      if (s > 0) plan.next_stage();
      plan.send(
          1, wherry::plans::strided_block(0, 1, 0, std::array<std::int64_t, 1>{bytes}, std::array<std::int64_t, 1>{1}));
      plan.receive(
          1, wherry::plans::strided_block(0, 1, 0, std::array<std::int64_t, 1>{bytes}, std::array<std::int64_t, 1>{1}));
    }
    const auto made = plan.finish();
    return wherry::one_copy_row(made, made.stages);
  };
  constexpr auto never = std::numeric_limits<std::int64_t>::max();
  CHECK(row_of(1, 4096) < never);
  CHECK_EQUAL(row_of(2, 4096), never);
  CHECK(row_of(2, 2 * wherry::transports::second_level_cache()) < never);
}

WHERRY_UNIT_TEST(fields_between_each_other_are_read_in_place) {
  wherry::configure("calibration", "0");
  const auto row_of = [](lie how) {
    std::vector<double> memory;
    const auto plan = faces(how, memory);
    return wherry::one_copy_row(plan, plan.stages);
  };
  CHECK_EQUAL(row_of(lie::between_each_other), 1);
  CHECK_EQUAL(row_of(lie::side_by_side), wherry::transports::calibration{}.long_row);
  CHECK_EQUAL(row_of(lie::nobody_knows_where), wherry::transports::calibration{}.long_row);
}
