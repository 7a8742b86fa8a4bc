#include "substitute_fields.hpp"

#include <algorithm>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

/// The bytes of one field that any block touches, relative to its pointer.
struct byte_range {
  std::int64_t lowest = 0, highest = 0;

  void include(std::int64_t first, std::int64_t last) {
    const bool empty = lowest == highest;
    lowest = empty ? first : std::min(lowest, first);
    highest = empty ? last : std::max(highest, last);
  }
};

void include_block(const schedule& plan, const block& b, std::vector<byte_range>& ranges) {
  if (b.kind == block::form::called || b.bytes() == 0) return;
  auto& range = ranges[static_cast<std::size_t>(b.field)];
  if (b.kind == block::form::strided) {
    range.include(b.lowest(), b.highest());
    return;
  }
  const auto first = plan.indices.begin() + b.offset;
  const auto [least, most] = std::minmax_element(first, first + b.count);
  range.include(*least, *most + b.run);
}

void fetch_blocks(const std::vector<block>& blocks, const schedule& plan, const functions& code, field_table from,
                  field_table to) {
  std::vector<block> plain;
  std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(plain),
               [](const block& b) { return b.kind != block::form::called; });
  const message_packing packing(plain, store, plan, code);
  std::vector<std::byte> wire(packing.bytes());
  packing.pack(from, wire.data());
  packing.unpack(to, wire.data());
}

}  // namespace

substitute_fields::substitute_fields(const schedule& plan, std::size_t first) : fields_(plan.fields.size(), nullptr) {
  std::vector<byte_range> ranges(plan.fields.size());
  for (std::size_t s = first; s < plan.stages.size(); ++s) {
    for (const auto* list : {&plan.stages[s].sends, &plan.stages[s].receives})
      for (const auto& m : *list)
        for (const auto& b : m.blocks) include_block(plan, b, ranges);
    for (const auto& c : plan.stages[s].copies) {
      include_block(plan, c.from, ranges);
      include_block(plan, c.to, ranges);
    }
  }
  for (std::size_t f = 0; f < ranges.size(); ++f) {
    const auto [lowest, highest] = ranges[f];
    if (lowest == highest) continue;
    memory_.emplace_back(new std::byte[static_cast<std::size_t>(highest - lowest)]);
    fields_[f] = memory_.back().get() - lowest;
  }
}

void substitute_fields::fetch(const schedule& plan, const functions& code, std::size_t first, field_table users) const {
  for (std::size_t s = first; s < plan.stages.size(); ++s) {
    for (const auto& m : plan.stages[s].sends) fetch_blocks(m.blocks, plan, code, users, fields_);
    for (const auto& c : plan.stages[s].copies) fetch_blocks({c.from}, plan, code, users, fields_);
  }
}

void silence(functions& code) {
  for (auto& op : code.reductions) {
    op.apply = [](void*, const void*, std::size_t) {};
    op.apply_rows = nullptr;
  }
  for (auto& a : code.accessors) {
    a.gather = [](const void*, std::int64_t, std::byte*) {
      throw error(error_kind::state, "exchange", "abandoned before a user's function had gathered all");
    };
    a.scatter = [](void*, std::int64_t, const std::byte*) {};
  }
}

}  // namespace wherry
