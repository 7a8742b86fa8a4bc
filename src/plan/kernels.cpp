#include "kernels.hpp"

#include "wherry/plan/shape_table.hpp"

namespace wherry::kernels {
namespace {

/// A shape of the table, word by word.
struct stored_shape {
  const std::int32_t* words;

  std::int64_t run() const { return words[1]; }
  int loops() const { return plans::shape_table::loops_in(words); }
  std::int64_t extent(int d) const { return words[3 + 2 * d]; }
  std::int64_t stride(int d) const { return words[4 + 2 * d]; }
};

detail::joint_loop side_by_side(const stored_shape& from, const stored_shape& to, int d) {
  return {from.extent(d), from.stride(d), to.stride(d)};
}

template <class Run, int Loops>
void pair(const std::int32_t* from_shape, const std::int32_t* to_shape, const std::byte* from, std::byte* to) {
  const stored_shape f{from_shape}, t{to_shape};
  if constexpr (Loops == 0) {
    Run::copy(to, from, f.run());
  } else if constexpr (Loops == 1) {
    row<Run>(side_by_side(f, t, 0), from, to, Run::bytes(f.run()));
  } else if constexpr (Loops == 2) {
    rows<Run>(side_by_side(f, t, 0), side_by_side(f, t, 1), from, to, Run::bytes(f.run()));
  } else {
    detail::joint_shape all;
    all.head = {f.run(), 0, f.loops()};
    for (int d = 0; d < f.loops(); ++d) all.loop[d] = side_by_side(f, t, d);
    many_loops<Run>(all.head, all.loop, from, to);
  }
}

template <class Run> constexpr pair_kernel pair_of(int loops) {
  if (loops == 0) return pair<Run, 0>;
  if (loops == 1) return pair<Run, 1>;
  return loops == 2 ? pair<Run, 2> : pair<Run, 3>;
}

/// True if the strides on the written side ascend, and those on the read side ascend too or its runs are long: see
/// `join`.
bool in_good_order(const stored_shape& from, const stored_shape& to) {
  constexpr std::int64_t line = 64;
  for (int d = 1; d < from.loops(); ++d) {
    if (std::abs(to.stride(d)) <= std::abs(to.stride(d - 1))) return false;
    if (from.run() < line && std::abs(from.stride(d)) < std::abs(from.stride(0))) return false;
  }
  return true;
}

}  // namespace

detail::copy_kernel choose(const detail::joint_head& shape) {
  return with_run(shape.run, [&]<class Run>() -> detail::copy_kernel {
    if (shape.loops == 0) return no_loop<Run>;
    if (shape.loops == 1) return one_loop<Run>;
    if (shape.loops == 2 && shape.tile == 0) return two_loops<Run>;
    return many_loops<Run>;
  });
}

std::uint32_t pair_kernel_for(const std::int32_t* from_shape, const std::int32_t* to_shape) {
  if (from_shape == nullptr || to_shape == nullptr) return no_pair_kernel;
  const stored_shape from{from_shape}, to{to_shape};
  if (from.run() != to.run() || from.loops() != to.loops()) return no_pair_kernel;
  for (int d = 0; d < from.loops(); ++d)
    if (from.extent(d) != to.extent(d)) return no_pair_kernel;
  if (!in_good_order(from, to)) return no_pair_kernel;
  const auto found = std::find(known_runs.begin(), known_runs.end(), from.run());
  const auto run = found == known_runs.end() ? 0 : found - known_runs.begin();
  return static_cast<std::uint32_t>(4 * run + std::min(from.loops(), 3));
}

constinit const std::array<pair_kernel, pair_kernels> all_pair_kernels = [] {
  std::array<pair_kernel, pair_kernels> made{};
  for (std::size_t i = 0; i < made.size(); ++i)
    made[i] = with_run(known_runs[i / 4], [&]<class Run>() { return pair_of<Run>(static_cast<int>(i % 4)); });
  return made;
}();

}  // namespace wherry::kernels
