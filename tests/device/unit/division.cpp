// Division by multiplication, against division.
#include <cstdint>

#include "wherry/device/detail/device_moves.hpp"

#include "harness/harness.hpp"
#include "support/random.hpp"

using wherry::known_divisor;

namespace {

constexpr std::uint32_t most = (std::uint32_t{1} << 31) - 1;

bool is_right(std::uint32_t n, std::uint32_t by) {
  return !wherry_test::fault(known_divisor::of(by).divide(n) != n / by) ||
         FAIL(std::to_string(n) + " / " + std::to_string(by));
}

}  // namespace

WHERRY_UNIT_TEST(device_small_divisors_are_exact) {
  for (std::uint32_t by = 1; by <= 300; ++by)
    for (std::uint32_t n = 0; n <= 2000; ++n)
      if (!is_right(n, by)) return;
}

// Where a quotient changes is where rounding goes wrong.
WHERRY_UNIT_TEST(device_all_divisors_are_exact_where_quotients_change) {
  wherry_test::random_numbers random(test.seed);
  for (int i = 0; i < 100000; ++i) {
    const auto by = static_cast<std::uint32_t>(random.next() % most >> random.between(0, 30)) + 1;
    const auto multiple = static_cast<std::uint32_t>(random.next() % (most / by + 1)) * by;
    for (const std::uint32_t n : {multiple, multiple == 0 ? 0 : multiple - 1, most, most - 1})
      if (!is_right(n, by)) return;
  }
}
