#include "cut_message.hpp"

#include <algorithm>

namespace wherry {
namespace {

plans::block contiguous(const plans::block& like, std::int64_t offset, std::int64_t bytes) {
  plans::block b;
  b.field = like.field;
  b.offset = offset;
  b.run = bytes;
  b.element = bytes % like.element == 0 ? like.element : 1;
  return b;
}

/// Visits the bytes `first` to `last` of equal parts of `bytes` each: calls `cut` for the parts that are cut at the
/// ends, and `whole(from, to)` for those between.
template <class Cut, class Whole>
void split(std::int64_t bytes, std::int64_t first, std::int64_t last, Cut cut, Whole whole) {
  std::int64_t from = first / bytes;
  const std::int64_t to = last / bytes;
  if (first % bytes != 0) {
    cut(from, first % bytes, std::min(bytes, last - from * bytes));
    ++from;
  }
  if (from < to) whole(from, to);
  if (from <= to && last % bytes != 0) cut(to, 0, last % bytes);
}

}  // namespace

void append_slice(const plans::block& b, std::int64_t first, std::int64_t last, const plans::schedule& plan,
                  std::vector<plans::block>& out) {
  if (first >= last) return;
  if (b.kind == plans::block::form::indexed) {
    split(
        b.run, first, last,
        [&](std::int64_t i, std::int64_t from, std::int64_t to) {
          plan.indices.for_each_place(b.list, b.skipped + i, 1, [&](std::int64_t place) {
            out.push_back(contiguous(b, b.offset + place * b.unit + from, to - from));
          });
        },
        [&](std::int64_t from, std::int64_t to) {
          plans::block part = b;
          part.skipped += from;
          part.count = to - from;
          out.push_back(part);
        });
    return;
  }
  if (b.loops == 0) {
    out.push_back(contiguous(b, b.offset + first, last - first));
    return;
  }
  const auto outer = static_cast<std::size_t>(b.loops - 1);
  const auto [extent, stride] = b.loop[outer];
  plans::block inner = b;
  --inner.loops;
  inner.loop[outer] = {};
  const auto at = [&, step = stride](std::int64_t i) {
    plans::block part = inner;
    part.offset += i * step;
    return part;
  };
  split(
      b.bytes() / extent, first, last,
      [&](std::int64_t i, std::int64_t from, std::int64_t to) { append_slice(at(i), from, to, plan, out); },
      [&](std::int64_t from, std::int64_t to) {
        plans::block part = at(from);
        if (to - from > 1) part.loop[static_cast<std::size_t>(part.loops++)] = {to - from, b.loop[outer].stride};
        out.push_back(part);
      });
}

std::vector<std::vector<plans::block>> cut_message(std::span<const plans::block> blocks, std::int64_t limit,
                                                   const plans::schedule& plan) {
  limit -= limit % 8;
  std::vector<std::vector<plans::block>> pieces;
  std::int64_t room = 0;
  for (const auto& b : blocks) {
    const std::int64_t element = b.element;
    for (std::int64_t at = 0; at < b.bytes();) {
      const std::int64_t rest = b.bytes() - at;
      std::int64_t step = std::min(room, rest);
      if (step < rest && element <= limit) step -= step % element;
      if (step == 0) {
        pieces.emplace_back();
        room = limit;
        continue;
      }
      append_slice(b, at, at + step, plan, pieces.back());
      at += step;
      room -= step;
    }
  }
  return pieces;
}

}  // namespace wherry
