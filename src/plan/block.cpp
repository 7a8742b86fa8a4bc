#include "wherry/plan/block.hpp"

#include <algorithm>

#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

namespace wherry::plans {
namespace {

constexpr detail::checked size{"block", "number of bytes"}, reach{"block", "reach of the bytes"};

}  // namespace

std::int64_t block::bytes() const {
  if (kind == form::indexed) return size.product(run, count);
  std::int64_t total = run;
  for (int d = 0; d < loops; ++d) total = size.product(total, loop[static_cast<std::size_t>(d)].extent);
  return total;
}

std::int64_t block::bytes_on_wire(std::int64_t part) const {
  return converts() ? size.product(part / element, wire_element) : part;
}

std::int64_t block::lowest() const {
  std::int64_t low = offset;
  for (int d = 0; d < loops; ++d) {
    const auto& [extent, stride] = loop[static_cast<std::size_t>(d)];
    low = reach.sum(low, std::min<std::int64_t>(0, reach.product(extent - 1, stride)));
  }
  return low;
}

std::int64_t block::highest() const {
  std::int64_t high = reach.sum(offset, run);
  for (int d = 0; d < loops; ++d) {
    const auto& [extent, stride] = loop[static_cast<std::size_t>(d)];
    high = reach.sum(high, std::max<std::int64_t>(0, reach.product(extent - 1, stride)));
  }
  return high;
}

block strided_block(std::int32_t field, std::int64_t element, std::int64_t offset,
                    std::span<const std::int64_t> extents, std::span<const std::int64_t> strides) {
  if (extents.size() > max_block_rank || extents.size() != strides.size())
    throw error(error_kind::argument, "strided_block",
                detail::text("'extents' has ", extents.size(), " entries, expected at most ", max_block_rank,
                             " and as many as 'strides', which has ", strides.size()));
  block b;
  b.field = field;
  b.offset = offset;
  b.run = b.element = element;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const auto extent = extents[d], stride = strides[d];
    if (extent < 0)
      throw error(error_kind::argument, "strided_block",
                  detail::text("'extents' has ", extent, ", expected 0 or more"));
    if (extent == 0) b.run = 0;
    if (extent <= 1) continue;
    if (b.loops == 0 && stride == b.run) {
      b.run = size.product(b.run, extent);
      continue;
    }
    if (b.loops > 0) {
      auto& inner = b.loop[static_cast<std::size_t>(b.loops - 1)];
      if (stride == reach.product(inner.stride, inner.extent)) {
        inner.extent = size.product(inner.extent, extent);
        continue;
      }
    }
    b.loop[static_cast<std::size_t>(b.loops++)] = {extent, stride};
  }
  if (b.run == 0) {
    b.loops = 0;
    b.loop = {};
  }
  return b;
}

block indexed_block(std::int32_t field, std::int64_t element, std::int64_t list, std::int64_t count,
                    std::int64_t unit) {
  block b;
  b.kind = block::form::indexed;
  b.field = field;
  b.run = b.element = element;
  b.count = count;
  b.list = list;
  b.unit = unit;
  return b;
}

block called_block(std::int32_t field, std::int64_t region, std::int64_t bytes) {
  block b;
  b.kind = block::form::called;
  b.field = field;
  b.offset = region;
  b.run = bytes;
  return b;
}

}  // namespace wherry::plans
