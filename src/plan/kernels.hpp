// The innermost loops. There is one template instance for each run length, so that a run of three doubles is two moves
// and no call.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "joint_shape.hpp"

namespace wherry::kernels {

template <std::size_t Bytes> struct fixed_run {
  static constexpr std::int64_t bytes(std::int64_t) { return Bytes; }
  static void copy(std::byte* to, const std::byte* from, std::int64_t) { std::memcpy(to, from, Bytes); }
};

/// For runs that are worth a call of memcpy.
struct long_run {
  static void copy(std::byte* to, const std::byte* from, std::int64_t run) {
    std::memcpy(to, from, static_cast<std::size_t>(run));
  }
};

/// For short runs, for which a call would take longer than the moves.
struct any_run {
  static constexpr std::int64_t bytes(std::int64_t run) { return run; }
  static constexpr bool is_long(std::int64_t run) { return run > 128; }
  static void copy(std::byte* to, const std::byte* from, std::int64_t run) {
    if (is_long(run) || run < 4) {
      std::memcpy(to, from, static_cast<std::size_t>(run));
    } else if (run > 64) {
      both_ends<64>(to, from, run);
    } else if (run > 32) {
      both_ends<32>(to, from, run);
    } else if (run > 16) {
      both_ends<16>(to, from, run);
    } else if (run > 8) {
      both_ends<8>(to, from, run);
    } else {
      both_ends<4>(to, from, run);
    }
  }

 private:
  /// Copies a run of `End` to 2 × `End` bytes by its two ends; the bytes in the middle are moved twice.
  template <std::size_t End> static void both_ends(std::byte* to, const std::byte* from, std::int64_t run) {
    std::byte first[End], last[End];
    std::memcpy(first, from, End);
    std::memcpy(last, from + run - End, End);
    std::memcpy(to, first, End);
    std::memcpy(to + run - End, last, End);
  }
};

/// One loop, four iterations at a time. More of the cache lines over which a face of a box is spread are then under way
/// at once, which makes it a quarter faster.
///
/// The figures are passed by value. Otherwise the compiler must assume that the stores change them, and reads them
/// again at each step.
template <class Run>
inline void unrolled_row(std::int64_t extent, std::int64_t from_stride, std::int64_t to_stride, const std::byte* from,
                         std::byte* to, std::int64_t run) {
  if constexpr (std::is_same_v<Run, any_run>)  // tested once, not for each run
    if (any_run::is_long(run)) return unrolled_row<long_run>(extent, from_stride, to_stride, from, to, run);
  std::int64_t i = 0;
  for (; i + 4 <= extent; i += 4, from += 4 * from_stride, to += 4 * to_stride) {
    Run::copy(to, from, run);
    Run::copy(to + to_stride, from + from_stride, run);
    Run::copy(to + 2 * to_stride, from + 2 * from_stride, run);
    Run::copy(to + 3 * to_stride, from + 3 * from_stride, run);
  }
  for (; i < extent; ++i, from += from_stride, to += to_stride) Run::copy(to, from, run);
}

// Long rows get a call of their own. For short rows, as in small boxes, saving the registers of an unrolled loop costs
// too much.
constexpr std::int64_t long_extent = 16;

template <class Run>
[[gnu::noinline]] void long_row(std::int64_t extent, std::int64_t from_stride, std::int64_t to_stride,
                                const std::byte* from, std::byte* to, std::int64_t run) {
  unrolled_row<Run>(extent, from_stride, to_stride, from, to, run);
}
template <class Run>
[[gnu::noinline]] void long_rows(const detail::joint_loop inner, const detail::joint_loop outer, const std::byte* from,
                                 std::byte* to, std::int64_t run) {
  for (std::int64_t j = 0; j < outer.extent; ++j, from += outer.from, to += outer.to)
    unrolled_row<Run>(inner.extent, inner.from, inner.to, from, to, run);
}

template <class Run>
inline void short_row(const detail::joint_loop& l, const std::byte* from, std::byte* to, std::int64_t run) {
#pragma GCC unroll 1
  for (auto left = l.extent; left > 0; --left, from += l.from, to += l.to) Run::copy(to, from, run);
}

template <class Run>
inline void row(const detail::joint_loop l, const std::byte* from, std::byte* to, std::int64_t run) {
  if (l.extent >= long_extent) return long_row<Run>(l.extent, l.from, l.to, from, to, run);
  short_row<Run>(l, from, to, run);
}

template <class Run>
inline void rows(const detail::joint_loop inner, const detail::joint_loop outer, const std::byte* from, std::byte* to,
                 std::int64_t run) {
  if (inner.extent >= long_extent) return long_rows<Run>(inner, outer, from, to, run);
  for (std::int64_t j = 0; j < outer.extent; ++j, from += outer.from, to += outer.to)
    short_row<Run>(inner, from, to, run);
}

/// Two loops in square tiles, for transpositions, where each step of a row would touch a new cache line and use little
/// of it.
template <class Run>
inline void tiles(const detail::joint_loop& inner, const detail::joint_loop& outer, std::int64_t tile,
                  const std::byte* from, std::byte* to, std::int64_t run) {
  for (std::int64_t j0 = 0; j0 < outer.extent; j0 += tile)
    for (std::int64_t i0 = 0; i0 < inner.extent; i0 += tile)
      for (std::int64_t j = j0; j < std::min(j0 + tile, outer.extent); ++j)
        for (std::int64_t i = i0; i < std::min(i0 + tile, inner.extent); ++i)
          Run::copy(to + i * inner.to + j * outer.to, from + i * inner.from + j * outer.from, run);
}

/// The kernels of strided copies: from a field, to a field, or between a field and its dense image on the wire. With
/// thousands of small blocks the fixed cost counts, so shapes with few loops have kernels of their own.
template <class Run>
void no_loop(const detail::joint_head& b, const detail::joint_loop*, const std::byte* from, std::byte* to) {
  Run::copy(to, from, b.run);
}
template <class Run>
void one_loop(const detail::joint_head& b, const detail::joint_loop* loop, const std::byte* from, std::byte* to) {
  row<Run>(loop[0], from, to, Run::bytes(b.run));
}
template <class Run>
void two_loops(const detail::joint_head& b, const detail::joint_loop* loop, const std::byte* from, std::byte* to) {
  rows<Run>(loop[0], loop[1], from, to, Run::bytes(b.run));
}
/// Any number of loops from two on, with tiles.
template <class Run>
void many_loops(const detail::joint_head& b, const detail::joint_loop* loop, const std::byte* from, std::byte* to) {
  const std::int64_t run = Run::bytes(b.run);
  const detail::joint_loop inner = loop[0], outer = loop[1];
  std::int64_t at[detail::joint_shape::most_loops] = {};
  for (;;) {
    if (b.tile == 0)
      rows<Run>(inner, outer, from, to, run);
    else
      tiles<Run>(inner, outer, b.tile, from, to, run);
    int d = 2;
    for (; d < b.loops; ++d) {
      const auto& l = loop[d];
      from += l.from;
      to += l.to;
      if (++at[d] < l.extent) break;
      from -= l.from * l.extent;
      to -= l.to * l.extent;
      at[d] = 0;
    }
    if (d >= b.loops) return;
  }
}

/// The loop that a team divides: the outermost one with enough iterations for all threads, or else the longest one.
inline int loop_to_cut(const detail::joint_loop* loop, int loops, int parts) {
  int cut = loops - 1;
  for (int l = cut; l >= 0 && loop[cut].extent < 4 * parts; --l)
    if (loop[l].extent > loop[cut].extent) cut = l;
  return cut;
}

/// Calls `chosen.template operator()<Run>()` with the policy for this run length.
template <class Choose> constexpr auto with_run(std::int64_t run, Choose chosen) {
  switch (run) {
    case 1:
      return chosen.template operator()<fixed_run<1>>();
    case 2:
      return chosen.template operator()<fixed_run<2>>();
    case 3:
      return chosen.template operator()<fixed_run<3>>();
    case 4:
      return chosen.template operator()<fixed_run<4>>();
    case 6:
      return chosen.template operator()<fixed_run<6>>();
    case 8:
      return chosen.template operator()<fixed_run<8>>();
    case 12:
      return chosen.template operator()<fixed_run<12>>();
    case 16:
      return chosen.template operator()<fixed_run<16>>();
    case 20:
      return chosen.template operator()<fixed_run<20>>();
    case 24:
      return chosen.template operator()<fixed_run<24>>();
    case 32:
      return chosen.template operator()<fixed_run<32>>();
    case 40:
      return chosen.template operator()<fixed_run<40>>();
    case 48:
      return chosen.template operator()<fixed_run<48>>();
    case 56:
      return chosen.template operator()<fixed_run<56>>();
    case 64:
      return chosen.template operator()<fixed_run<64>>();
    case 72:
      return chosen.template operator()<fixed_run<72>>();
    case 96:
      return chosen.template operator()<fixed_run<96>>();
    case 128:
      return chosen.template operator()<fixed_run<128>>();
    default:
      return chosen.template operator()<any_run>();
  }
}

/// The run lengths that `with_run` knows. The first entry, 0, stands for all others.
inline constexpr auto known_runs = [] {
  constexpr std::int64_t none_beyond = 1024;
  constexpr auto is_known = [](std::int64_t run) {
    return with_run(run, []<class Run>() { return !std::is_same_v<Run, any_run>; });
  };
  constexpr auto count = [=] {
    std::size_t found = 0;
    for (std::int64_t run = 1; run <= none_beyond; ++run) found += is_known(run) ? 1 : 0;
    return found;
  }();
  std::array<std::int64_t, 1 + count> runs{};
  std::size_t next = 1;
  for (std::int64_t run = 1; run <= none_beyond; ++run)
    if (is_known(run)) runs[next++] = run;
  return runs;
}();

/// The kernel for a shape.
detail::copy_kernel choose(const detail::joint_head& shape);

/// Joins two strided blocks of equal size to one walk. False if their shapes have no common factors.
bool join(const plans::block& from, const plans::block& to, detail::joint_shape& shape);

/// A kernel for two shapes with the same runs and extents, as most are. It walks them side by side as they are stored
/// (see `shape_table::strided_words`), so that nothing is compiled for the pair.
using pair_kernel = void (*)(const std::int32_t* from_shape, const std::int32_t* to_shape, const std::byte* from,
                             std::byte* to);
inline constexpr std::uint32_t no_pair_kernel = ~std::uint32_t{0};
/// The number of the kernel, or `no_pair_kernel`.
std::uint32_t pair_kernel_for(const std::int32_t* from_shape, const std::int32_t* to_shape);
inline constexpr std::uint32_t pair_kernels = 4 * known_runs.size();  // for shapes of no, one, two and more loops
/// The kernels, by number.
extern const std::array<pair_kernel, pair_kernels> all_pair_kernels;

}  // namespace wherry::kernels
