#include <algorithm>
#include <numeric>

#include "kernels.hpp"
#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

namespace wherry {
namespace {

using joint_shape = direct_copies::joint_shape;
using joint_loop = direct_copies::joint_loop;

/// A block as plain loops whose innermost one steps over `unit` bytes.
std::vector<block_loop> loops_over(const block& b, std::int64_t unit) {
  std::vector<block_loop> loops;
  if (b.run != unit) loops.push_back({b.run / unit, unit});
  loops.insert(loops.end(), b.loop.begin(), b.loop.begin() + b.loops);
  return loops;
}

/// Cuts the loops of two blocks of equal size into common factors. False when they have none (different shapes).
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

/// Merges what is contiguous on both sides, and puts the loops that write nearest first: the order of a copy is free.
bool merge(std::int64_t unit, std::vector<joint_loop>& joint, joint_shape& shape) {
  std::vector<joint_loop> merged;
  shape.run = unit;
  for (const auto& l : joint) {
    if (merged.empty() && l.from == shape.run && l.to == shape.run) {
      shape.run *= l.extent;
    } else if (!merged.empty() && l.from == merged.back().from * merged.back().extent &&
               l.to == merged.back().to * merged.back().extent) {
      merged.back().extent *= l.extent;
    } else {
      merged.push_back(l);
    }
  }
  if (merged.size() > std::size(shape.loop)) return false;
  std::stable_sort(merged.begin(), merged.end(),
                   [](const joint_loop& a, const joint_loop& b) { return std::abs(a.to) < std::abs(b.to); });
  shape.loops = static_cast<int>(merged.size());
  std::copy(merged.begin(), merged.end(), shape.loop);
  return true;
}

bool join(const block& from, const block& to, joint_shape& shape) {
  if (from.kind != block::form::strided || to.kind != block::form::strided) return false;
  const std::int64_t unit = std::gcd(from.run, to.run);
  std::vector<joint_loop> joint;
  return common_loops(loops_over(from, unit), loops_over(to, unit), joint) && merge(unit, joint, shape);
}

}  // namespace

direct_copies::direct_copies(std::span<const local_copy> copies, const schedule& from_plan, const schedule& to_plan,
                             const functions& code)
    : code_(&code) {
  for (const auto& pair : copies) {
    if (pair.from.bytes() == 0) continue;
    step s;
    s.pair = pair;
    if (pair.operation == store && join(pair.from, pair.to, s.shape)) {
      s.copy = kernels::with_run(s.shape.run, []<class Run>() -> kernel { return kernels::joint<Run>; });
    } else {
      s.gather = message_packing({pair.from}, store, from_plan, code);
      s.scatter = message_packing({pair.to}, pair.operation, to_plan, code);
      s.buffer.resize(s.gather.bytes());
    }
    steps_.push_back(std::move(s));
  }
}

void direct_copies::run(field_table from, field_table to) const {
  for (const auto& s : steps_) {
    if (s.copy == nullptr) {
      s.gather.pack(from, s.buffer.data());
      s.scatter.unpack(to, s.buffer.data());
      continue;
    }
    const auto* source = static_cast<const std::byte*>(from[static_cast<std::size_t>(s.pair.from.field)]);
    auto* target = static_cast<std::byte*>(to[static_cast<std::size_t>(s.pair.to.field)]);
    s.copy(s.shape, source + s.pair.from.offset, target + s.pair.to.offset);
  }
}

}  // namespace wherry
