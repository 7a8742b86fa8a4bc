#include "part_boxes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

using cell = std::array<index_t, max_halo_dimensions>;

/// The cell, counted from the first core cell, that lies `offset` bytes behind the first element of the array.
cell cell_at(const halo_field& field, std::int64_t offset) {
  const auto dimensions = static_cast<std::size_t>(field.dimensions);
  std::array<std::size_t, max_halo_dimensions> by_stride{};
  for (std::size_t d = 0; d < dimensions; ++d) {
    by_stride[d] = d;
    if (field.stride[d] < 0) offset -= (field.halo[d].length - 1) * field.stride[d];  // count from the lowest byte
  }
  std::sort(by_stride.begin(), by_stride.begin() + dimensions,
            [&](std::size_t a, std::size_t b) { return std::abs(field.stride[a]) > std::abs(field.stride[b]); });
  cell found{};
  for (std::size_t i = 0; i < dimensions; ++i) {
    const auto d = by_stride[i];
    const auto stride = std::abs(field.stride[d]);
    if (field.halo[d].length > 1) {
      found[d] = offset / stride;
      offset %= stride;
      if (field.stride[d] < 0) found[d] = field.halo[d].length - 1 - found[d];
    }
    found[d] -= field.halo[d].begin;
  }
  return found;
}

bool contains(const halo_field& field, const halo_part& part) {
  if (field.dimensions != part.dimensions) return false;
  for (std::size_t d = 0; d < static_cast<std::size_t>(field.dimensions); ++d) {
    const auto& h = field.halo[d];
    if (part.lower[d] < -h.minus || part.upper[d] > h.core() + h.plus) return false;
  }
  return true;
}

bool is_empty(const halo_part& part) {
  for (std::size_t d = 0; d < static_cast<std::size_t>(part.dimensions); ++d)
    if (part.upper[d] <= part.lower[d]) return true;
  return false;
}

}  // namespace

void part_boxes::check(const carry_options& how, int rank) const {
  const auto refuse = [rank](const std::string& why) { throw error(error_kind::argument, "halo_exchange", why, rank); };
  if (how.snapshot && !parts_.empty())
    refuse("'snapshot' cannot be used with 'parts', because a snapshot is sent as a whole at start");
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& part = parts_[i];
    const bool known = part.subdomain >= 0 && static_cast<std::size_t>(part.subdomain) < fields_.size();
    if (!known)
      refuse(detail::text("part ", i, " is of subdomain ", part.subdomain, ", expected fewer than ", fields_.size(),
                          ", as many as the rank has"));
    if (is_empty(part)) refuse(detail::text("part ", i, " has no cells"));
    const auto& here = fields_[static_cast<std::size_t>(part.subdomain)];
    if (std::none_of(here.begin(), here.end(), [&](const halo_field& f) { return contains(f, part); }))
      refuse(
          detail::text("part ", i, " reaches beyond all fields, halos included, or has another number of dimensions"));
  }
}

void part_boxes::append_needed(const plans::block& b, std::vector<int>& needed) const {
  const auto fields = fields_.front().size(), number = static_cast<std::size_t>(b.field);
  const auto& field = fields_[number / fields][number % fields];
  const auto one = cell_at(field, b.lowest()), other = cell_at(field, b.highest() - field.element);
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& part = parts_[i];
    bool meets = static_cast<std::size_t>(part.subdomain) == number / fields;
    for (std::size_t d = 0; d < static_cast<std::size_t>(field.dimensions); ++d)
      meets = meets && part.lower[d] <= std::max(one[d], other[d]) && std::min(one[d], other[d]) < part.upper[d];
    if (meets) needed.push_back(static_cast<int>(i));
  }
}

}  // namespace wherry
