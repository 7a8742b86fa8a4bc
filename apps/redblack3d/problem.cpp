#include "problem.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace redblack3d {
namespace {

template <class Visit> void for_each_cell(const range3& cells, Visit&& visit) {
  for (long z = cells.lower[2]; z < cells.upper[2]; ++z)
    for (long y = cells.lower[1]; y < cells.upper[1]; ++y)
      for (long x = cells.lower[0]; x < cells.upper[0]; ++x) visit(x, y, z);
}

}  // namespace

void set_first_guess(const problem& what, const array3& u, const range3& cells) {
  for_each_cell(cells,
                [&](long x, long y, long z) { *u.at(x, y, z) = what.inside(x, y, z) ? 0 : what.solution(x, y, z); });
}

void set_right_hand_side(const problem& what, const array3& f, const range3& cells) {
  for_each_cell(cells, [&](long x, long y, long z) { *f.at(x, y, z) = what.right_hand_side(x, y, z); });
}

void look_at(const problem& what, const array3& u, const range3& cells, state& seen) {
  for_each_cell(cells, [&](long x, long y, long z) {
    const double value = *u.at(x, y, z);
    // Written so that a NaN counts as an error.
    const double error = std::abs(value - what.solution(x, y, z));
    seen.error = error <= seen.error ? seen.error : error;
    const auto place = static_cast<std::uint64_t>((z * (what.n + 2) + y) * (what.n + 2) + x);
    seen.fingerprint += std::bit_cast<std::uint64_t>(value) * (2 * place + 1);
  });
}

}  // namespace redblack3d
