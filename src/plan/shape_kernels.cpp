#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "kernels.hpp"
#include "list_kernels.hpp"

namespace wherry {
namespace {

/// The image of a block on the wire: the same bytes without gaps.
plans::block dense_image(const plans::block& b) {
  plans::block image = b;
  image.offset = 0;
  image.run = b.bytes();
  image.loops = 0;
  return image;
}

void take_inner_loop(plans::block& b) {
  std::copy(b.loop.begin() + 1, b.loop.end(), b.loop.begin());
  --b.loops;
}

}  // namespace

detail::joint_copies::entry detail::joint_copies::add(const detail::joint_shape& shape) {
  const auto first = static_cast<std::uint32_t>(loops_.size());
  loops_.insert(loops_.end(), shape.loop, shape.loop + shape.head.loops);
  return {kernels::choose(shape.head), shape.head, first};
}

namespace {

/// The place at which part `part` of `parts` begins.
constexpr std::int64_t begin_of(std::int64_t all, int part, int parts) { return all * part / parts; }

}  // namespace

void detail::joint_copies::run_part(const entry& what, const std::byte* from, std::byte* to, int part,
                                    int parts) const {
  constexpr std::int64_t line = 64;
  auto head = what.head;
  if (head.loops == 0) {
    const auto lines = (head.run + line - 1) / line;
    const auto begin = begin_of(lines, part, parts) * line,
               end = std::min(begin_of(lines, part + 1, parts) * line, head.run);
    std::memcpy(to + begin, from + begin, static_cast<std::size_t>(end - begin));
    return;
  }
  detail::joint_loop loop[detail::joint_shape::most_loops];
  std::copy_n(loops_.data() + what.first_loop, head.loops, loop);
  auto* const cut = loop + kernels::loop_to_cut(loop, head.loops, parts);
  const auto begin = begin_of(cut->extent, part, parts), end = begin_of(cut->extent, part + 1, parts);
  if (begin == end) return;
  from += begin * cut->from;
  to += begin * cut->to;
  cut->extent = end - begin;
  what.kernel(head, loop, from, to);
}

void detail::shape_kernels::require(std::uint32_t shape) {
  if (place_.size() < plan_->shapes.size()) place_.resize(plan_->shapes.size(), none);
  if (place_[shape] != none) return;
  place_[shape] = static_cast<std::uint32_t>(compiled_.size());
  const plans::block b = plan_->shapes[shape];
  auto& made = compiled_.emplace_back();
  made.kind = b.kind;
  made.bytes = static_cast<std::size_t>(b.bytes());
  made.wire_bytes = static_cast<std::size_t>(b.wire_bytes());
  if (b.kind == plans::block::form::indexed) {
    made.list = static_cast<std::uint32_t>(lists_.size());
    lists_.push_back({b.list, b.skipped, b.count, b.unit, b.run});
  }
  if (b.kind != plans::block::form::strided || made.bytes == 0) return;
  const plans::block image = dense_image(b);
  made.gather = joined(b, image);
  made.scatter = joined(image, b);
  if (b.loops == 0 || b.bytes() <= piece_) return;
  made.first_piece = static_cast<std::uint32_t>(pieces_.size());
  cut(b, 0, 0);
  made.pieces = static_cast<std::uint32_t>(pieces_.size()) - made.first_piece;
}

/// A block and its image always have common factors.
detail::joint_copies::entry detail::shape_kernels::joined(const plans::block& from, const plans::block& to) {
  detail::joint_shape shape;
  kernels::join(from, to, shape);
  return joints_.add(shape);
}

/// Cuts a block along its outermost loops into pieces, if it is longer than a piece.
void detail::shape_kernels::cut(const plans::block& b, std::int64_t offset, std::size_t wire) {
  if (b.loops == 0 || b.bytes() <= piece_) {
    pieces_.push_back({offset, wire, static_cast<std::size_t>(b.bytes()), joined(b, dense_image(b))});
    return;
  }
  const auto last = static_cast<std::size_t>(b.loops - 1);
  const auto [extent, stride] = b.loop[last];
  const std::int64_t bytes = b.bytes() / extent, together = std::max<std::int64_t>(1, piece_ / bytes);
  for (std::int64_t i = 0; i < extent; i += together) {
    plans::block part = b;
    part.loop[last].extent = std::min(together, extent - i);
    if (part.loop[last].extent == 1) part.loop[static_cast<std::size_t>(--part.loops)] = {};
    cut(part, offset + i * stride, wire + static_cast<std::size_t>(i * bytes));
  }
}

void detail::shape_kernels::gather_listed(const plans::block_row& row, const compiled& c, const plans::functions& code,
                                          const std::byte* field, std::byte* wire) const {
  if (c.kind == plans::block::form::called)
    return code.accessors[static_cast<std::size_t>(row.field)].gather(field, row.offset, wire);
  kernels::gather(plan_->indices, lists_[c.list], field + row.offset, wire);
}

void detail::shape_kernels::scatter_listed(const plans::block_row& row, const compiled& c, const plans::functions& code,
                                           const std::byte* wire, std::byte* field) const {
  if (c.kind == plans::block::form::called)
    return code.accessors[static_cast<std::size_t>(row.field)].scatter(field, row.offset, wire);
  kernels::scatter(plan_->indices, lists_[c.list], wire, field + row.offset);
}

void detail::shape_kernels::combine(const plans::block_row& row, const plans::typed_reduction& op,
                                    const std::byte* wire, std::byte* field) const {
  auto b = plan_->what(row);
  if (!op.by_block.empty()) {
    static const plans::functions no_code;  // accessors are not needed, because called blocks are never combined
    if (b.operation == detail::store) return scatter(row, of(row), no_code, wire, field);
    return combine(row, op.by_block[static_cast<std::size_t>(b.operation)], wire, field);
  }
  const auto per_run = static_cast<std::size_t>(b.run) / op.element;
  if (b.kind == plans::block::form::indexed) {
    plan_->indices.for_each_place(b.list, b.skipped, b.count, [&](std::int64_t place) {
      op.apply(field + b.offset + place * b.unit, wire, per_run);
      wire += per_run * op.arriving();
    });
    return;
  }
  if (b.loops == 0 || !op.apply_rows) {
    plans::for_each_run(b, [&](std::int64_t at, std::int64_t) {
      op.apply(field + at, wire, per_run);
      wire += per_run * op.arriving();
    });
    return;
  }
  const auto rows = static_cast<std::size_t>(b.loop[0].extent);
  const auto stride = b.loop[0].stride;
  take_inner_loop(b);
  plans::for_each_run(b, [&](std::int64_t at, std::int64_t) {
    op.apply_rows(field + at, stride, wire, per_run, rows);
    wire += rows * per_run * op.arriving();
  });
}

std::string_view detail::kernel_name(const plans::block& b) {
  if (b.kind == plans::block::form::indexed) return "index list";
  if (b.kind == plans::block::form::called) return "user function";
  if (b.loops == 0) return "contiguous";
  return kernels::with_run(b.run, []<class Run>() -> std::string_view {
    return std::is_same_v<Run, kernels::any_run> ? "long runs" : "fixed short runs";
  });
}

}  // namespace wherry
