#include <algorithm>
#include <type_traits>

#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "bulk_copy.hpp"
#include "kernels.hpp"
#include "shape_index.hpp"

namespace wherry {
namespace {

/// The image of a block on the wire: the same bytes without gaps.
block dense_image(const block& b) {
  block image = b;
  image.offset = 0;
  image.run = b.bytes();
  image.loops = 0;
  return image;
}

block without_inner_loop(block b) {
  std::copy(b.loop.begin() + 1, b.loop.end(), b.loop.begin());
  --b.loops;
  return b;
}

/// `Wire` is const where elements are scattered from it.
template <class Wire> void move_indexed(const block& b, const std::int64_t* index, std::byte* field, Wire* wire) {
  const auto move = [&]<class Run>() {
    const std::int64_t run = Run::bytes(b.run);
    for (std::int64_t i = 0; i < b.count; ++i, wire += run) {
      if constexpr (std::is_const_v<Wire>)
        Run::copy(field + index[i], wire, run);
      else
        Run::copy(wire, field + index[i], run);
    }
  };
  kernels::with_run(b.run, move);
}

}  // namespace

/// Fills in the steps of one message.
class message_packing::compiler {
 public:
  compiler(message_packing& into, const schedule& plan, std::int64_t piece) : into_(into), plan_(plan), piece_(piece) {}

  void add(const block& b, std::int64_t wire) {
    if (b.kind == block::form::called) check_functions(b);
    if (b.bytes() == 0) return;
    if (b.kind == block::form::strided) return add_strided(b, wire);
    into_.steps_.push_back({no_shape, b.field, std::ssize(into_.others_), static_cast<std::size_t>(wire)});
    into_.others_.push_back(b);
  }

 private:
  void check_functions(const block& b) const {
    const auto field = static_cast<std::size_t>(b.field);
    const auto& accessors = into_.code_->accessors;
    if (field >= accessors.size() || !accessors[field].gather || !accessors[field].scatter)
      throw error(error_kind::argument, plan_.pattern, text("field ", field, " has no gather and scatter functions"));
    if (into_.operation_ != store)
      throw error(error_kind::argument, plan_.pattern, "a reduction is not possible on gather and scatter functions");
  }

  /// Adds a block, cut along its outermost loops where it is longer than a piece.
  void add_strided(const block& b, std::int64_t wire) {
    if (piece_ == 0 || b.loops == 0 || b.bytes() <= piece_) {
      into_.steps_.push_back({shape_of(b), b.field, b.offset, static_cast<std::size_t>(wire)});
      return;
    }
    const auto last = static_cast<std::size_t>(b.loops - 1);
    const auto [extent, stride] = b.loop[last];
    const std::int64_t bytes = b.bytes() / extent, together = std::max<std::int64_t>(1, piece_ / bytes);
    const std::int64_t on_wire = b.bytes_on_wire(bytes);
    for (std::int64_t i = 0; i < extent; i += together) {
      block part = b;
      part.offset += i * stride;
      part.loop[last].extent = std::min(together, extent - i);
      if (part.loop[last].extent == 1) part.loop[static_cast<std::size_t>(--part.loops)] = {};
      add_strided(part, wire + i * on_wire);
    }
  }

  std::uint32_t shape_of(const block& b) {
    const auto [number, is_new] = index_.number_of(shape_key(b));
    if (!is_new) return number;
    auto& made = into_.shapes_.emplace_back();
    made.bytes = static_cast<std::size_t>(b.bytes());
    made.what = b;
    made.what.offset = 0;
    const block image = dense_image(b);
    kernels::join(made.what, image, made.gather.shape);
    kernels::join(image, made.what, made.scatter.shape);
    made.gather.kernel = kernels::choose(made.gather.shape);
    made.scatter.kernel = kernels::choose(made.scatter.shape);
    return number;
  }

  message_packing& into_;
  const schedule& plan_;
  std::int64_t piece_;
  shape_index index_;
};

message_packing::message_packing(const std::vector<block>& blocks, int operation, const schedule& plan,
                                 const functions& code, std::int64_t piece)
    : indices_(plan.indices.data()), code_(&code), operation_(operation) {
  compiler compile(*this, plan, piece);
  steps_.reserve(blocks.size());
  std::int64_t end = 0;
  for (const auto& b : blocks) {
    end = align_on_wire(end);
    compile.add(b, end);
    end += b.wire_bytes();
  }
  bytes_ = static_cast<std::size_t>(end);
}

std::size_t message_packing::bytes_of(const step& s) const {
  if (s.shape != no_shape) return shapes_[s.shape].bytes;
  return static_cast<std::size_t>(others_[static_cast<std::size_t>(s.offset)].bytes());
}

void message_packing::pack_step(const step& s, field_table fields, std::byte* to) const {
  auto* base = field_of(s, fields);
  if (s.shape != no_shape) return shapes_[s.shape].gather(base + s.offset, to);
  const auto& b = others_[static_cast<std::size_t>(s.offset)];
  if (b.kind == block::form::indexed)
    move_indexed(b, indices_ + b.offset, base, to);
  else
    code_->accessors[static_cast<std::size_t>(s.field)].gather(base, b.offset, to);
}

void message_packing::unpack_step(const step& s, field_table fields, const std::byte* from) const {
  if (operation_ != store) return combine_step(s, fields, from);
  auto* base = field_of(s, fields);
  if (s.shape != no_shape) return shapes_[s.shape].scatter(from, base + s.offset);
  const auto& b = others_[static_cast<std::size_t>(s.offset)];
  if (b.kind == block::form::indexed)
    move_indexed(b, indices_ + b.offset, base, from);
  else
    code_->accessors[static_cast<std::size_t>(s.field)].scatter(base, b.offset, from);
}

void message_packing::combine_step(const step& s, field_table fields, const std::byte* from) const {
  const auto& op = code_->reductions[static_cast<std::size_t>(operation_)];
  auto* base = field_of(s, fields);
  if (s.shape == no_shape) {
    const auto& b = others_[static_cast<std::size_t>(s.offset)];
    const auto per_index = static_cast<std::size_t>(b.run) / op.element;
    for (std::int64_t i = 0; i < b.count; ++i, from += per_index * op.arriving())
      op.apply(base + indices_[b.offset + i], from, per_index);
    return;
  }
  const auto& what = shapes_[s.shape].what;
  const auto per_run = static_cast<std::size_t>(what.run) / op.element;
  if (what.loops == 0 || !op.apply_rows) {
    for_each_run(what, [&](std::int64_t at, std::int64_t) {
      op.apply(base + s.offset + at, from, per_run);
      from += per_run * op.arriving();
    });
    return;
  }
  const auto rows = static_cast<std::size_t>(what.loop[0].extent);
  for_each_run(without_inner_loop(what), [&](std::int64_t at, std::int64_t) {
    op.apply_rows(base + s.offset + at, what.loop[0].stride, from, per_run, rows);
    from += rows * per_run * op.arriving();
  });
}

void message_packing::pack(field_table fields, std::byte* wire) const {
  for (const auto& s : steps_) pack_step(s, fields, wire + s.wire);
}

void message_packing::unpack(field_table fields, const std::byte* wire) const {
  for (const auto& s : steps_) unpack_step(s, fields, wire + s.wire);
}

void message_packing::pack_in_bulk(field_table fields, std::span<std::byte> bounce, std::byte* wire) const {
  std::size_t begin = 0, end = 0;  // what of the wire is in `bounce`
  const auto flush = [&](std::size_t next) {
    bulk_copy(wire + begin, bounce.data(), end - begin);
    begin = end = next;
  };
  for (const auto& s : steps_) {
    const auto bytes = bytes_of(s);
    if (s.wire + bytes - begin > bounce.size()) flush(s.wire);
    if (bytes <= bounce.size()) {
      pack_step(s, fields, bounce.data() + (s.wire - begin));
      end = s.wire + bytes;
    } else if (s.shape != no_shape && shapes_[s.shape].what.contiguous()) {
      bulk_copy(wire + s.wire, field_of(s, fields) + s.offset, bytes);
      begin = end = s.wire + bytes;
    } else {
      pack_step(s, fields, wire + s.wire);
      begin = end = s.wire + bytes;
    }
  }
  flush(end);
}

std::string_view kernel_name(const block& b) {
  if (b.kind == block::form::indexed) return "index list";
  if (b.kind == block::form::called) return "user function";
  if (b.loops == 0) return "contiguous";
  return kernels::with_run(b.run, []<class Run>() -> std::string_view {
    return std::is_same_v<Run, kernels::any_run> ? "long runs" : "fixed short runs";
  });
}

}  // namespace wherry
