#include <algorithm>

#include "wherry/core/error.hpp"
#include "wherry/plan/copy_engine.hpp"

#include "kernels.hpp"
#include "shape_index.hpp"

namespace wherry {
namespace {

/// Copies that cannot go straight, as two messages to be.
struct detour_blocks {
  int operation;
  std::vector<block> from, to;
};

detour_blocks& of_operation(std::vector<detour_blocks>& all, int operation) {
  for (auto& d : all)
    if (d.operation == operation) return d;
  return all.emplace_back(detour_blocks{operation, {}, {}});
}

}  // namespace

direct_copies::direct_copies(std::span<const local_copy> copies, const schedule& from_plan, const schedule& to_plan,
                             const functions& code) {
  shape_index index;
  constexpr std::uint32_t not_joined = buffered;
  std::vector<std::uint32_t> shape_of;  // by number in the index
  std::vector<detour_blocks> detours;
  steps_.reserve(copies.size());

  const auto shape = [&](const block& from, const block& to) {
    if (from.kind != block::form::strided || to.kind != block::form::strided) return not_joined;
    const auto [number, is_new] = index.number_of(shape_key(from, to));
    if (!is_new) return shape_of[number];
    joint_copy made;
    const bool joined = kernels::join(from, to, made.shape);
    shape_of.push_back(joined ? static_cast<std::uint32_t>(shapes_.size()) : not_joined);
    if (!joined) return not_joined;
    made.kernel = kernels::choose(made.shape);
    shapes_.push_back(made);
    return shape_of.back();
  };

  for (const auto& [from, to, operation, overlaps] : copies) {
    if (from.bytes() == 0) continue;
    if (operation == store && !overlaps)
      if (const auto number = shape(from, to); number != not_joined) {
        steps_.push_back({number, from.field, to.field, from.offset, to.offset});
        continue;
      }
    auto& through = of_operation(detours, operation);
    steps_.push_back({buffered, from.field, to.field, &through - detours.data(), std::ssize(through.from)});
    through.from.push_back(from);
    through.to.push_back(to);
    buffer_.resize(std::max(buffer_.size(), static_cast<std::size_t>(from.bytes())));
  }
  for (const auto& [operation, from, to] : detours)
    detours_.push_back({message_packing(from, store, from_plan, code), message_packing(to, operation, to_plan, code)});
}

void direct_copies::run(field_table from, field_table to) const {
  for (const auto& s : steps_) {
    if (s.shape == buffered) {
      run_buffered(s, from, to);
      continue;
    }
    const auto* source = static_cast<const std::byte*>(from[static_cast<std::size_t>(s.from_field)]);
    auto* target = static_cast<std::byte*>(to[static_cast<std::size_t>(s.to_field)]);
    shapes_[s.shape](source + s.from, target + s.to);
  }
}

void direct_copies::run_buffered(const step& s, field_table from, field_table to) const {
  const auto& [gather, scatter] = detours_[static_cast<std::size_t>(s.from)];
  const auto number = static_cast<std::size_t>(s.to);
  gather.pack_step(gather.steps_[number], from, buffer_.data());
  scatter.unpack_step(scatter.steps_[number], to, buffer_.data());
}

}  // namespace wherry
