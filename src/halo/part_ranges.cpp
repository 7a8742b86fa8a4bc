#include "part_ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

/// The element that contains a byte, counted from the first byte of the first element.
index_t element_of_byte(index_t byte, index_t stride) {
  return stride > 0 ? byte / stride : (-byte - stride - 1) / -stride;
}

}  // namespace

part_ranges::part_ranges(std::span<const index_part> parts, std::span<const detail::index_field> arrays,
                         const carry_options& how, int rank) {
  const auto refuse = [rank](const std::string& why) {
    throw error(error_kind::argument, "index exchange", why, rank);
  };
  if (how.snapshot && !parts.empty())
    refuse("'snapshot' cannot be used with 'parts', because a snapshot is sent as a whole at start");
  index_t most = 0;
  for (const auto& a : arrays) {
    most = std::max(most, a.count);
    strides_.push_back(a.stride);
  }
  for (const auto& part : parts) {
    const auto number = static_cast<int>(ascending_.size());
    if (part.end <= part.begin) refuse(detail::text("part ", number, " has no elements"));
    if (part.begin < 0 || part.end > most)
      refuse(detail::text("part ", number, " is elements ", part.begin, " to ", part.end - 1,
                          ", but the longest array has ", most));
    ascending_.push_back({part, number});
  }
  std::sort(ascending_.begin(), ascending_.end(),
            [](const range& a, const range& b) { return a.elements.begin < b.elements.begin; });
  for (std::size_t i = 1; i < ascending_.size(); ++i)
    if (ascending_[i].elements.begin < ascending_[i - 1].elements.end)
      refuse(detail::text("parts ", ascending_[i - 1].number, " and ", ascending_[i].number, " both have element ",
                          ascending_[i].elements.begin));
}

void part_ranges::append_of(index_t first, index_t last, std::vector<int>& needed) const {
  auto next = std::upper_bound(ascending_.begin(), ascending_.end(), first,
                               [](index_t element, const range& r) { return element < r.elements.end; });
  for (; next != ascending_.end() && next->elements.begin <= last; ++next)
    if (needed.empty() || needed.back() != next->number) needed.push_back(next->number);
}

void part_ranges::append_needed(const plans::schedule& plan, const plans::block_row& row,
                                std::vector<int>& needed) const {
  const auto b = plan.what(row);
  const index_t stride = strides_[static_cast<std::size_t>(b.field)];
  const auto before = static_cast<std::ptrdiff_t>(needed.size());
  const auto settle = [&] {
    std::sort(needed.begin() + before, needed.end());
    needed.erase(std::unique(needed.begin() + before, needed.end()), needed.end());
  };
  const auto append = [&](index_t byte, index_t bytes) {
    if (stride == 0) return append_of(0, std::numeric_limits<index_t>::max(), needed);  // all elements coincide
    const auto one = element_of_byte(byte, stride), other = element_of_byte(byte + bytes - 1, stride);
    append_of(std::min(one, other), std::max(one, other), needed);
    if (std::ssize(needed) - before > 4 * std::ssize(ascending_) + 64) settle();  // keeps the list short
  };
  if (b.kind == plans::block::form::indexed)
    plan.indices.for_each_place(b.list, b.skipped, b.count,
                                [&](std::int64_t place) { append(b.offset + place * b.unit, b.run); });
  else
    plans::for_each_run(b, append);
  settle();
}

}  // namespace wherry
