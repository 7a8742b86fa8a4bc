#include "substitute_fields.hpp"

#include <algorithm>
#include <cstdint>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

/// The bytes of one field that any block touches, relative to the field's pointer.
struct byte_range {
  std::int64_t lowest = 0, highest = 0;

  void include(std::int64_t first, std::int64_t last) {
    const bool empty = lowest == highest;
    lowest = empty ? first : std::min(lowest, first);
    highest = empty ? last : std::max(highest, last);
  }
};

/// True for rows that a device has packed: they are not the user's memory.
bool is_on_device(const plans::block_row& row, const plans::schedule& plan) {
  return plan.fields[static_cast<std::size_t>(row.field)].space == memory_space::device;
}

void include_block(const plans::schedule& plan, const plans::block& b, std::vector<byte_range>& ranges) {
  if (b.kind == plans::block::form::called || b.bytes() == 0) return;
  if (plan.fields[static_cast<std::size_t>(b.field)].space == memory_space::device) return;
  auto& range = ranges[static_cast<std::size_t>(b.field)];
  if (b.kind == plans::block::form::strided) {
    range.include(b.lowest(), b.highest());
    return;
  }
  const auto [first, last] = std::minmax({plan.indices.lowest(b.list) * b.unit, plan.indices.highest(b.list) * b.unit});
  range.include(b.offset + first, b.offset + last + b.run);
}

void fetch_row(const plans::block_row& row, const plans::schedule& plan, detail::shape_kernels& kernels,
               const plans::functions& code, plans::field_table from, plans::field_table to) {
  if (plan.shapes[row.shape].kind == plans::block::form::called || is_on_device(row, plan)) return;
  const detail::message_packing packing({&row, 1}, detail::store, plan, kernels, code);
  std::vector<std::byte> wire(packing.bytes());
  packing.pack(from, wire.data());
  packing.unpack(to, wire.data());
}

}  // namespace

substitute_fields::substitute_fields(const plans::schedule& plan, std::size_t first)
    : fields_(plan.fields.size(), nullptr) {
  std::vector<byte_range> ranges(plan.fields.size());
  for (std::size_t s = first; s < plan.stages.size(); ++s) {
    for (const auto* list : {&plan.stages[s].sends, &plan.stages[s].receives})
      for (const auto& m : *list)
        for (const auto& row : plan.rows_of(m)) include_block(plan, plan.what(row), ranges);
    for (const auto& copies : plan.stages[s].copies)
      for (const auto& c : plan.rows_of(copies)) {
        include_block(plan, plan.what(c.from), ranges);
        include_block(plan, plan.what(c.to), ranges);
      }
  }
  for (std::size_t f = 0; f < ranges.size(); ++f) {
    const auto [lowest, highest] = ranges[f];
    if (lowest == highest) continue;
    memory_.emplace_back(new std::byte[static_cast<std::size_t>(highest - lowest)]);
    fields_[f] = memory_.back().get() - lowest;
  }
}

void substitute_fields::fetch(const plans::schedule& plan, detail::shape_kernels& kernels, const plans::functions& code,
                              std::size_t first, plans::field_table users) const {
  const auto fetch_one = [&](const plans::block_row& row) { fetch_row(row, plan, kernels, code, users, fields_); };
  for (std::size_t s = first; s < plan.stages.size(); ++s) {
    for (const auto& m : plan.stages[s].sends)
      for (const auto& row : plan.rows_of(m)) fetch_one(row);
    for (const auto& copies : plan.stages[s].copies)
      for (const auto& c : plan.rows_of(copies)) fetch_one(c.from);
  }
}

void silence(plans::functions& code) {
  for (auto& op : code.reductions) {
    op.apply = [](void*, const void*, std::size_t) {};
    op.apply_rows = nullptr;
  }
  for (auto& a : code.accessors) {
    a.gather = [](const void*, std::int64_t, std::byte*) {
      throw error(error_kind::state, "exchange",
                  "the exchange was abandoned before the user's function had gathered all elements");
    };
    a.scatter = [](void*, std::int64_t, const std::byte*) {};
  }
}

}  // namespace wherry
