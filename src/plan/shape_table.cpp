#include "wherry/plan/shape_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "wherry/core/checked.hpp"
#include "wherry/core/hash.hpp"

namespace wherry::plans {
namespace {

constexpr std::uint32_t no_shape = ~std::uint32_t{0};

bool is_small(std::int64_t value) { return value == static_cast<std::int32_t>(value); }

std::size_t loops_kept(const block& b) {
  return static_cast<std::size_t>(std::clamp<int>(b.loops, 0, max_block_rank));  // `validate` refuses other numbers
}

bool is_small(const block& b) {
  bool small = is_small(b.run) && is_small(b.element) && is_small(b.wire_element) && is_small(b.count) &&
               is_small(b.list) && is_small(b.skipped) && is_small(b.unit);
  for (std::size_t d = 0; d < loops_kept(b); ++d)
    small = small && is_small(b.loop[d].extent) && is_small(b.loop[d].stride);
  return small;
}

}  // namespace

/// A shape as words, in the form in which it is stored.
struct shape_table::record {
  std::array<std::int32_t, 1 + 2 * (8 + 2 * max_block_rank)> words;  // the rest is not set, to save time
  std::size_t length = 0;

  explicit record(const block& b) {
    std::int32_t head = static_cast<std::uint8_t>(b.loops) | static_cast<std::int32_t>(b.kind) << kind_shift;
    const bool small = is_small(b);
    if (!small) head |= wide;
    if (b.wire_element != 0) head |= has_wire_element;
    if (b.count != 1) head |= has_count;
    if (b.operation != detail::store) head |= has_operation;
    words[length++] = head;
    const auto add = [&](std::int64_t value) {
      words[length++] = static_cast<std::int32_t>(value);
      if (!small) words[length++] = static_cast<std::int32_t>(value >> 32);
    };
    add(b.run);
    add(b.element);
    for (std::size_t d = 0; d < loops_kept(b); ++d) {
      add(b.loop[d].extent);
      add(b.loop[d].stride);
    }
    if (b.wire_element != 0) add(b.wire_element);
    if (b.count != 1) add(b.count);
    if (b.operation != detail::store) add(b.operation);
    if (b.kind != block::form::indexed) return;
    add(b.list);
    add(b.skipped);
    add(b.unit);
  }

  bool is_at(const std::int32_t* at) const {
    std::int32_t different = 0;
    for (std::size_t i = 0; i < length; ++i) different |= words[i] ^ at[i];
    return different == 0;
  }

  static std::uint64_t two(const std::int32_t* words) {
    return std::uint64_t{static_cast<std::uint32_t>(words[1])} << 32 | static_cast<std::uint32_t>(words[0]);
  }
  static std::uint64_t hash(const std::int32_t* words, std::size_t length) {
    std::uint64_t h = length;
    std::size_t i = 0;
    for (; i + 1 < length; i += 2) h = detail::hashed(h, two(words + i));
    return i < length ? detail::hashed(h, static_cast<std::uint32_t>(words[i])) : h;
  }
};

std::size_t shape_table::length_of(std::uint32_t shape) const {
  return (shape + 1 < first_.size() ? first_[shape + 1] : words_.size()) - first_[shape];
}

block shape_table::operator[](std::uint32_t shape) const {
  const auto* at = words_.data() + first_[shape];
  const std::int32_t head = *at++;
  const auto take = [&]() -> std::int64_t {
    const std::int64_t low = *at++;
    if ((head & wide) == 0) return low;
    return static_cast<std::int64_t>(*at++) << 32 | static_cast<std::uint32_t>(low);
  };
  block b;
  b.kind = static_cast<block::form>(head >> kind_shift);
  b.loops = static_cast<std::int8_t>(head & loops_mask);
  b.run = take();
  b.element = take();
  for (std::size_t d = 0; d < loops_kept(b); ++d) {
    b.loop[d].extent = take();
    b.loop[d].stride = take();
  }
  if ((head & has_any) == 0 && b.kind != block::form::indexed) return b;
  if ((head & has_wire_element) != 0) b.wire_element = take();
  if ((head & has_count) != 0) b.count = take();
  if ((head & has_operation) != 0) b.operation = static_cast<std::int16_t>(take());
  if (b.kind != block::form::indexed) return b;
  b.list = take();
  b.skipped = take();
  b.unit = take();
  return b;
}

std::uint32_t shape_table::number_of(const block& b) {
  const record wanted(b);
  if (2 * first_.size() >= slots_.size()) grow();
  auto& slot = slot_of(wanted);
  if (slot == no_shape) {
    constexpr detail::checked number{"schedule", "number of words for its shapes"};
    slot = static_cast<std::uint32_t>(first_.size());
    first_.push_back(number.cast<std::uint32_t>(words_.size()));
    words_.insert(words_.end(), wanted.words.begin(), wanted.words.begin() + wanted.length);
  }
  return slot;
}

bool shape_table::operator==(const shape_table& other) const {
  return words_ == other.words_ && first_ == other.first_;
}

void shape_table::settle() {
  slots_ = {};
  words_.shrink_to_fit();
  first_.shrink_to_fit();
}

std::uint32_t& shape_table::slot_of(const record& wanted) {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = record::hash(wanted.words.data(), wanted.length) & mask;; at = (at + 1) & mask) {
    const auto shape = slots_[at];
    if (shape == no_shape) return slots_[at];
    if (length_of(shape) == wanted.length && wanted.is_at(words_.data() + first_[shape])) return slots_[at];
  }
}

void shape_table::grow() {
  slots_.assign(std::max<std::size_t>(64, 4 * std::bit_ceil(first_.size())), no_shape);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t shape = 0; shape < first_.size(); ++shape) {
    std::size_t at = record::hash(words_.data() + first_[shape], length_of(shape)) & mask;
    while (slots_[at] != no_shape) at = (at + 1) & mask;
    slots_[at] = shape;
  }
}

}  // namespace wherry::plans
