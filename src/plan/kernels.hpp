// The innermost loops. One template instance per run length, so that a run of three doubles is two moves, not a call.
#pragma once

#include <cstring>

#include "wherry/plan/copy_engine.hpp"

namespace wherry::kernels {

template <std::size_t Bytes>
struct fixed_run {
  static constexpr std::int64_t bytes(std::int64_t) { return Bytes; }
  static void copy(std::byte* to, const std::byte* from, std::int64_t) { std::memcpy(to, from, Bytes); }
};

struct any_run {
  static constexpr std::int64_t bytes(std::int64_t run) { return run; }
  static void copy(std::byte* to, const std::byte* from, std::int64_t run) {
    std::memcpy(to, from, static_cast<std::size_t>(run));
  }
};

/// Calls `plane(offset)` for every iteration of the loops from 2 upwards.
template <class Loop, class Stride, class Plane>
inline void outer_loops(const Loop* loop, int loops, Stride stride, Plane plane) {
  std::int64_t at[8] = {};
  auto offset = stride(loop[0]) * 0;
  for (;;) {
    plane(offset);
    int d = 2;
    for (; d < loops; ++d) {
      offset += stride(loop[d]);
      if (++at[d] < loop[d].extent) break;
      offset -= stride(loop[d]) * loop[d].extent;
      at[d] = 0;
    }
    if (d >= loops) return;
  }
}

template <class Run, bool Gather>
void strided(const block& b, std::byte* field, std::byte* wire) {
  const std::int64_t run = Run::bytes(b.run);
  const auto move = [run](std::byte* in_field, std::byte* on_wire) {
    if constexpr (Gather)
      Run::copy(on_wire, in_field, run);
    else
      Run::copy(in_field, on_wire, run);
  };
  const std::int64_t n0 = b.loops > 0 ? b.loop[0].extent : 1, s0 = b.loop[0].stride;
  const std::int64_t n1 = b.loops > 1 ? b.loop[1].extent : 1, s1 = b.loop[1].stride;
  outer_loops(
      b.loop.data(), b.loops, [](const block_loop& l) { return l.stride; },
      [&](std::int64_t offset) {
        std::byte* row = field + offset;
        for (std::int64_t j = 0; j < n1; ++j, row += s1) {
          std::byte* at = row;
          for (std::int64_t i = 0; i < n0; ++i, at += s0, wire += run) move(at, wire);
        }
      });
}

struct both_strides {
  std::int64_t from, to;
  both_strides& operator+=(const both_strides& o) {
    from += o.from;
    to += o.to;
    return *this;
  }
  both_strides& operator-=(const both_strides& o) {
    from -= o.from;
    to -= o.to;
    return *this;
  }
  friend both_strides operator*(const both_strides& a, std::int64_t n) { return {a.from * n, a.to * n}; }
};

template <class Run>
void joint(const direct_copies::joint_shape& b, const std::byte* from, std::byte* to) {
  const std::int64_t run = Run::bytes(b.run);
  const std::int64_t n0 = b.loops > 0 ? b.loop[0].extent : 1, f0 = b.loop[0].from, t0 = b.loop[0].to;
  const std::int64_t n1 = b.loops > 1 ? b.loop[1].extent : 1, f1 = b.loop[1].from, t1 = b.loop[1].to;
  outer_loops(
      b.loop, b.loops, [](const direct_copies::joint_loop& l) { return both_strides{l.from, l.to}; },
      [&](const both_strides& offset) {
        const std::byte* source_row = from + offset.from;
        std::byte* target_row = to + offset.to;
        for (std::int64_t j = 0; j < n1; ++j, source_row += f1, target_row += t1) {
          const std::byte* source = source_row;
          std::byte* target = target_row;
          for (std::int64_t i = 0; i < n0; ++i, source += f0, target += t0) Run::copy(target, source, run);
        }
      });
}

/// Hands `chosen.template operator()<Run>()` the policy for this run length.
template <class Choose>
auto with_run(std::int64_t run, Choose chosen) {
  switch (run) {
    case 1: return chosen.template operator()<fixed_run<1>>();
    case 2: return chosen.template operator()<fixed_run<2>>();
    case 3: return chosen.template operator()<fixed_run<3>>();
    case 4: return chosen.template operator()<fixed_run<4>>();
    case 6: return chosen.template operator()<fixed_run<6>>();
    case 8: return chosen.template operator()<fixed_run<8>>();
    case 12: return chosen.template operator()<fixed_run<12>>();
    case 16: return chosen.template operator()<fixed_run<16>>();
    case 20: return chosen.template operator()<fixed_run<20>>();
    case 24: return chosen.template operator()<fixed_run<24>>();
    case 32: return chosen.template operator()<fixed_run<32>>();
    case 40: return chosen.template operator()<fixed_run<40>>();
    case 48: return chosen.template operator()<fixed_run<48>>();
    case 56: return chosen.template operator()<fixed_run<56>>();
    case 64: return chosen.template operator()<fixed_run<64>>();
    case 72: return chosen.template operator()<fixed_run<72>>();
    case 96: return chosen.template operator()<fixed_run<96>>();
    case 128: return chosen.template operator()<fixed_run<128>>();
    default: return chosen.template operator()<any_run>();
  }
}

}  // namespace wherry::kernels
