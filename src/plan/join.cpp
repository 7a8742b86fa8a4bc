// Two strided blocks of equal size as one set of loops with a stride on each side.
#include <numeric>
#include <utility>

#include "kernels.hpp"

namespace wherry::kernels {
namespace {

/// A block as plain loops whose innermost one steps over `unit` bytes.
std::vector<block_loop> loops_over(const block& b, std::int64_t unit) {
  std::vector<block_loop> loops;
  if (b.run != unit) loops.push_back({b.run / unit, unit});
  loops.insert(loops.end(), b.loop.begin(), b.loop.begin() + b.loops);
  return loops;
}

/// Cuts the loops of both into common factors. False when there are none.
bool common_loops(std::vector<block_loop> from, std::vector<block_loop> to, std::vector<joint_loop>& joint) {
  std::size_t i = 0, k = 0;
  while (i < from.size() && k < to.size()) {
    const std::int64_t step = std::min(from[i].extent, to[k].extent);
    if (from[i].extent % step != 0 || to[k].extent % step != 0) return false;
    joint.push_back({step, from[i].stride, to[k].stride});
    for (auto [side, at] : {std::pair{&from, &i}, std::pair{&to, &k}}) {
      auto& loop = (*side)[*at];
      loop.extent /= step;
      loop.stride *= step;
      if (loop.extent == 1) ++*at;
    }
  }
  return i == from.size() && k == to.size();
}

/// Merges what is contiguous on both sides.
std::vector<joint_loop> merged(const std::vector<joint_loop>& joint, std::int64_t& run) {
  std::vector<joint_loop> result;
  for (const auto& l : joint) {
    if (result.empty() && l.from == run && l.to == run) {
      run *= l.extent;
    } else if (!result.empty() && l.from == result.back().from * result.back().extent &&
               l.to == result.back().to * result.back().extent) {
      result.back().extent *= l.extent;
    } else {
      result.push_back(l);
    }
  }
  return result;
}

/// The order of a copy is free: what writes nearest comes first, then, if that is another loop, what reads nearest; the
/// two are then walked in tiles.
void order(std::vector<joint_loop>& loops, joint_shape& shape) {
  std::sort(loops.begin(), loops.end(), [](const joint_loop& a, const joint_loop& b) {
    return std::pair(std::abs(a.to), std::abs(a.from)) < std::pair(std::abs(b.to), std::abs(b.from));
  });
  if (loops.size() < 2) return;
  const auto nearest = std::min_element(loops.begin(), loops.end(), [](const joint_loop& a, const joint_loop& b) {
    return std::abs(a.from) < std::abs(b.from);
  });
  constexpr std::int64_t line = 64;
  if (nearest == loops.begin() || shape.run >= line) return;
  std::rotate(loops.begin() + 1, nearest, nearest + 1);
  shape.tile = std::max<std::int64_t>(4, line / shape.run);
}

}  // namespace

bool join(const block& from, const block& to, joint_shape& shape) {
  if (from.kind != block::form::strided || to.kind != block::form::strided) return false;
  const std::int64_t unit = std::gcd(from.run, to.run);
  std::vector<joint_loop> joint;
  if (unit == 0 || !common_loops(loops_over(from, unit), loops_over(to, unit), joint)) return false;
  shape.run = unit;
  auto loops = merged(joint, shape.run);
  if (loops.size() > joint_shape::most_loops) return false;
  order(loops, shape);
  shape.loops = static_cast<int>(loops.size());
  std::copy(loops.begin(), loops.end(), shape.loop);
  return true;
}

}  // namespace wherry::kernels
