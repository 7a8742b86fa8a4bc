#include "typed_message.hpp"

#include <algorithm>
#include <cstdint>

#include "wherry/core/settings.hpp"

#include "cut_message.hpp"
#include "staging.hpp"

namespace wherry {
namespace {

/// The same bytes, packed one block after the other in a buffer.
std::vector<plans::block> in_buffer(const std::vector<plans::block>& blocks) {
  std::vector<plans::block> packed;
  std::int64_t end = 0;
  for (const auto& b : blocks) {
    plans::block p;
    p.offset = plans::align_on_wire(end);
    p.run = b.wire_bytes();
    p.element = b.bytes_on_wire(b.element);
    end = p.offset + p.run;
    packed.push_back(p);
  }
  return packed;
}

}  // namespace

typed_message::typed_message(const plans::message& m, bool receive, const transports::bind_request& request,
                             bool buffered)
    : peer_(m.peer) {
  const auto all = request.plan.blocks_of(m);
  const bool called = std::any_of(
      all.begin(), all.end(), [](const plans::block& b) { return b.kind == plans::block::form::called && b.run > 0; });
  buffered = buffered || called || (receive && m.operation != detail::store);
  if (buffered) {
    packing_ = detail::message_packing(request.plan.rows_of(m), receive ? m.operation : detail::store, request.plan,
                                       request.kernels, request.code);
    require_staging(request, packing_.bytes());
    buffer_.resize(packing_.bytes());
  }
  const auto blocks = buffered ? in_buffer(all) : all;
  const auto limit = static_cast<std::int64_t>(current_settings().message_limit);
  for (const auto& cut : cut_message(blocks, limit, request.plan)) {
    auto& parts = pieces_.emplace_back();
    for (const auto& b : cut)
      parts.push_back({block_datatype(b, request.plan), buffered ? through_buffer : b.field,
                       static_cast<MPI_Aint>(block_origin(b)), b.contiguous() ? static_cast<int>(b.run) : 0});
  }
}

}  // namespace wherry
