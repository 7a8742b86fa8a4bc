#include "stages.hpp"

#include <algorithm>
#include <array>

namespace nas_ft {
namespace {

using wherry::index_t;

/// The `number`th of `parts` nearly equal parts of a range.
struct range {
  index_t lower, upper;
};
range part(const range& whole, int number, int parts) {
  const auto length = whole.upper - whole.lower;
  return {whole.lower + length * number / parts, whole.lower + length * (number + 1) / parts};
}

/// Cuts the dimensions `cut` into parts for the ranks, the first one fastest, and each rank's cells into chunks.
stage make_stage(const problem& what, const rank_grid& ranks, std::array<std::size_t, 2> cut, int slowest, int chunks,
                 std::vector<int> axes) {
  stage result;
  result.slowest = slowest;
  result.order = slowest == 2 ? wherry::layout<3>{0, 1, 2} : wherry::layout<3>{0, 2, 1};
  result.axes = std::move(axes);
  for (int rank = 0; rank < ranks.first * ranks.second; ++rank) {
    auto mine = wherry::box_of_extents<3>(what.cells);
    const auto take = [&](std::size_t d, int number, int parts) {
      const auto p = part({mine.lower[d], mine.upper[d]}, number, parts);
      mine.lower[d] = p.lower;
      mine.upper[d] = p.upper;
    };
    take(cut[0], rank % ranks.first, ranks.first);
    take(cut[1], rank / ranks.first, ranks.second);
    const auto whole = mine;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      mine = whole;
      take(static_cast<std::size_t>(slowest), chunk, chunks);
      result.blocks.add(mine, rank);
    }
  }
  return result;
}

}  // namespace

rank_grid choose_grid(const problem& what, int ranks, bool pencils) {
  const auto planes = std::min(what.cells[1], what.cells[2]);
  if (!pencils && ranks <= planes) return {1, ranks};
  rank_grid best{ranks, 1};
  for (int first = 2; first <= ranks; ++first)
    if (ranks % first == 0 && std::max(first, ranks / first) < std::max(best.first, best.second))
      best = {first, ranks / first};
  return best;
}

std::vector<stage> stages_of(const problem& what, const rank_grid& ranks, int chunks) {
  if (ranks.slabs())
    return {make_stage(what, ranks, {1, 2}, 2, chunks, {0, 1}), make_stage(what, ranks, {0, 1}, 1, chunks, {2})};
  return {make_stage(what, ranks, {1, 2}, 2, chunks, {0}), make_stage(what, ranks, {0, 2}, 2, chunks, {1}),
          make_stage(what, ranks, {0, 1}, 1, chunks, {2})};
}

}  // namespace nas_ft
