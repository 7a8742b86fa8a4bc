// Joins two strided blocks of equal size to one set of loops with a stride on each side. Allocates nothing.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "kernels.hpp"

namespace wherry::kernels {
namespace {

/// A list with fixed memory.
template <class T, std::size_t Most> struct short_list {
  T item[Most];
  std::size_t size = 0;

  void push_back(const T& added) { item[size++] = added; }
  T* begin() { return item; }
  T* end() { return item + size; }
  T& back() { return item[size - 1]; }
};

using block_loops = short_list<plans::block_loop, plans::max_block_rank + 1>;         // the run may become a loop
using joint_loops = short_list<detail::joint_loop, 2 * (plans::max_block_rank + 1)>;  // each step ends a loop

/// A block as plain loops, in which the innermost one steps over `unit` bytes.
block_loops loops_over(const plans::block& b, std::int64_t unit) {
  block_loops loops;
  if (b.run != unit) loops.push_back({b.run / unit, unit});
  for (std::size_t d = 0; d < static_cast<std::size_t>(b.loops); ++d) loops.push_back(b.loop[d]);
  return loops;
}

/// Takes `step` iterations out of the loop at `next`, and advances to the next loop when it is used up.
void take(plans::block_loop*& next, std::int64_t step) {
  next->extent /= step;
  next->stride *= step;
  if (next->extent == 1) ++next;
}

/// Cuts the loops of both sides into common factors. False if there are none.
bool common_loops(block_loops from, block_loops to, joint_loops& joint) {
  auto *f = from.begin(), *t = to.begin();
  while (f != from.end() && t != to.end()) {
    const std::int64_t step = std::min(f->extent, t->extent);
    if (f->extent % step != 0 || t->extent % step != 0) return false;
    joint.push_back({step, f->stride, t->stride});
    take(f, step);
    take(t, step);
  }
  return f == from.end() && t == to.end();
}

/// Merges loops that are contiguous on both sides.
joint_loops merged(joint_loops& joint, std::int64_t& run) {
  joint_loops result;
  for (const auto& l : joint) {
    if (result.size == 0 && l.from == run && l.to == run) {
      run *= l.extent;
    } else if (result.size > 0 && l.from == result.back().from * result.back().extent &&
               l.to == result.back().to * result.back().extent) {
      result.back().extent *= l.extent;
    } else {
      result.push_back(l);
    }
  }
  return result;
}

/// A copy may be made in any order: the loop with the smallest steps on the written side becomes the innermost one. If
/// another loop has the smallest steps on the read side, it comes next, and the two are walked in tiles.
void order(joint_loops& loops, detail::joint_head& shape) {
  std::sort(loops.begin(), loops.end(), [](const detail::joint_loop& a, const detail::joint_loop& b) {
    return std::pair(std::abs(a.to), std::abs(a.from)) < std::pair(std::abs(b.to), std::abs(b.from));
  });
  if (loops.size < 2) return;
  const auto nearest = std::min_element(
      loops.begin(), loops.end(),
      [](const detail::joint_loop& a, const detail::joint_loop& b) { return std::abs(a.from) < std::abs(b.from); });
  constexpr std::int64_t line = 64;
  if (nearest == loops.begin() || shape.run >= line) return;
  std::rotate(loops.begin() + 1, nearest, nearest + 1);
  shape.tile = static_cast<std::int32_t>(std::max<std::int64_t>(4, line / shape.run));
}

}  // namespace

bool join(const plans::block& from, const plans::block& to, detail::joint_shape& shape) {
  if (from.kind != plans::block::form::strided || to.kind != plans::block::form::strided) return false;
  const std::int64_t unit = std::gcd(from.run, to.run);
  joint_loops joint;
  if (unit == 0 || !common_loops(loops_over(from, unit), loops_over(to, unit), joint)) return false;
  shape.head = {unit, 0, 0};
  auto loops = merged(joint, shape.head.run);
  if (loops.size > detail::joint_shape::most_loops) return false;
  order(loops, shape.head);
  shape.head.loops = static_cast<std::int32_t>(loops.size);
  std::copy(loops.begin(), loops.end(), shape.loop);
  return true;
}

}  // namespace wherry::kernels
