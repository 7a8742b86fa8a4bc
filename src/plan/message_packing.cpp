#include <algorithm>
#include <type_traits>

#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "bulk_copy.hpp"
#include "kernels.hpp"

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

message_packing::message_packing(const std::vector<block>& blocks, int operation, const schedule& plan,
                                 const functions& code, std::int64_t piece)
    : indices_(plan.indices.data()), code_(&code), operation_(operation) {
  std::int64_t end = 0;
  for (const auto& b : blocks) {
    end = align_on_wire(end);
    if (b.kind == block::form::called) {
      const auto field = static_cast<std::size_t>(b.field);
      if (field >= code.accessors.size() || !code.accessors[field].gather || !code.accessors[field].scatter)
        throw error(error_kind::argument, plan.pattern, text("field ", field, " has no gather and scatter functions"));
      if (operation != store)
        throw error(error_kind::argument, plan.pattern, "a reduction is not possible on gather and scatter functions");
    }
    if (b.bytes() > 0) {
      if (b.kind == block::form::strided)
        add_strided(b, end, piece);
      else
        steps_.push_back({b, static_cast<std::size_t>(end), {}, {}, nullptr, nullptr});
    }
    end += b.bytes();
  }
  bytes_ = static_cast<std::size_t>(end);
}

/// Adds a block, cut along its outermost loops where it is longer than a piece.
void message_packing::add_strided(const block& b, std::int64_t wire, std::int64_t piece) {
  if (piece == 0 || b.bytes() <= piece || b.loops == 0) {
    step s{b, static_cast<std::size_t>(wire), {}, {}, nullptr, nullptr};
    kernels::join(b, dense_image(b), s.out);
    kernels::join(dense_image(b), b, s.in);
    s.gather = kernels::choose(s.out);
    s.scatter = kernels::choose(s.in);
    steps_.push_back(s);
    return;
  }
  const auto last = static_cast<std::size_t>(b.loops - 1);
  const auto [extent, stride] = b.loop[last];
  const std::int64_t bytes = b.bytes() / extent, together = std::max<std::int64_t>(1, piece / bytes);
  for (std::int64_t i = 0; i < extent; i += together) {
    block part = b;
    part.offset += i * stride;
    part.loop[last].extent = std::min(together, extent - i);
    if (part.loop[last].extent == 1) part.loop[static_cast<std::size_t>(--part.loops)] = {};
    add_strided(part, wire + i * bytes, piece);
  }
}

void message_packing::pack_step(const step& s, field_table fields, std::byte* to) const {
  const auto field = static_cast<std::size_t>(s.what.field);
  auto* base = static_cast<std::byte*>(fields[field]);
  switch (s.what.kind) {
    case block::form::strided:
      s.gather(s.out, base + s.what.offset, to);
      break;
    case block::form::indexed:
      move_indexed(s.what, indices_ + s.what.offset, base, to);
      break;
    case block::form::called:
      code_->accessors[field].gather(base, s.what.offset, to);
      break;
  }
}

void message_packing::pack(field_table fields, std::byte* wire) const {
  for (const auto& s : steps_) pack_step(s, fields, wire + s.wire);
}

void message_packing::pack_in_bulk(field_table fields, std::span<std::byte> bounce, std::byte* wire) const {
  std::size_t begin = 0, end = 0;  // what of the wire is in `bounce`
  const auto flush = [&](std::size_t next) {
    bulk_copy(wire + begin, bounce.data(), end - begin);
    begin = end = next;
  };
  for (const auto& s : steps_) {
    const auto bytes = static_cast<std::size_t>(s.what.bytes());
    if (s.wire + bytes - begin > bounce.size()) flush(s.wire);
    if (bytes <= bounce.size()) {
      pack_step(s, fields, bounce.data() + (s.wire - begin));
      end = s.wire + bytes;
    } else if (s.what.contiguous()) {
      const auto* base = static_cast<const std::byte*>(fields[static_cast<std::size_t>(s.what.field)]);
      bulk_copy(wire + s.wire, base + s.what.offset, bytes);
      begin = end = s.wire + bytes;
    } else {
      pack_step(s, fields, wire + s.wire);
      begin = end = s.wire + bytes;
    }
  }
  flush(end);
}

void message_packing::unpack(field_table fields, const std::byte* wire) const {
  for (const auto& s : steps_) {
    const auto field = static_cast<std::size_t>(s.what.field);
    auto* base = static_cast<std::byte*>(fields[field]);
    if (operation_ != store) {
      combine(s, base, wire + s.wire);
      continue;
    }
    const std::byte* source = wire + s.wire;
    switch (s.what.kind) {
      case block::form::strided:
        s.scatter(s.in, source, base + s.what.offset);
        break;
      case block::form::indexed:
        move_indexed(s.what, indices_ + s.what.offset, base, source);
        break;
      case block::form::called:
        code_->accessors[field].scatter(base, s.what.offset, source);
        break;
    }
  }
}

void message_packing::combine(const step& s, std::byte* field, const std::byte* wire) const {
  const auto& op = code_->reductions[static_cast<std::size_t>(operation_)];
  if (s.what.kind == block::form::indexed) {
    const auto per_element = static_cast<std::size_t>(s.what.run) / op.element;
    for (std::int64_t i = 0; i < s.what.count; ++i, wire += s.what.run)
      op.apply(field + indices_[s.what.offset + i], wire, per_element);
    return;
  }
  for_each_run(s.what, [&](std::int64_t at, std::int64_t bytes) {
    op.apply(field + at, wire, static_cast<std::size_t>(bytes) / op.element);
    wire += bytes;
  });
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
