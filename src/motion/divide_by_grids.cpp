#include "divide_by_grids.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace wherry {
namespace {

/// The place where a grid begins in the table of fields. If several grids begin at one place, only the last of them may
/// have cells.
struct beginning {
  std::int32_t field;
  index_t lowest;  // byte
  int part;
  friend bool operator<(const beginning& a, const beginning& b) {
    return std::tie(a.field, a.lowest, a.part) < std::tie(b.field, b.lowest, b.part);
  }
};

}  // namespace

void divide_by_grids(exchange& bound, std::span<const detail::mover_stage> stages,
                     std::span<const detail::bound_array> arrays) {
  std::vector<beginning> all;
  int parts = 0;
  for (const auto& stage : stages)
    for (const auto& m : stage) {
      const auto& source = m.source();
      int part = 0;
      for (const auto& range : source.ranges(source.shape))
        all.push_back({static_cast<std::int32_t>(arrays.front().first) + range.piece, range.lowest, part++});
      parts = std::max(parts, part);
      arrays = arrays.subspan(2);
    }
  std::sort(all.begin(), all.end());
  bound.divide(parts, [&](const plans::block_row& row, std::vector<int>& needed) {
    const auto b = bound.schedule().what(row);
    const auto next =
        std::upper_bound(all.begin(), all.end(), beginning{b.field, b.lowest(), std::numeric_limits<int>::max()});
    if (next != all.begin() && std::prev(next)->field == b.field) needed.push_back(std::prev(next)->part);
  });
}

}  // namespace wherry
