#include "in_place_blocks.hpp"

#include <utility>

#include "wherry/plan/schedule_builder.hpp"

namespace wherry {

std::vector<shareable_block> shareable_blocks(const message& m, const bind_request& request) {
  std::vector<shareable_block> result;
  if (request.snapshot) return result;
  const auto rows = request.plan.rows_of(m);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (request.plan.fields[static_cast<std::size_t>(rows[i].field)].space != memory_space::node_shared) continue;
    const auto b = request.plan.what(rows[i]);
    if (b.kind == block::form::strided) result.push_back({i, b});
  }
  return result;
}

std::vector<std::uint8_t> choose_in_place(const std::vector<shareable_block>& theirs, const message& mine,
                                          const bind_request& request, std::int64_t row, planned_copies& copies) {
  std::vector<std::uint8_t> direct;
  if (mine.operation != store) return direct;
  const auto rows = request.plan.rows_of(mine);
  schedule_builder pairs(request.plan.pattern, request.comm.rank());
  for (const auto& [place, from] : theirs) {
    const auto to = request.plan.what(rows[place]);
    if (from.run < row || to.kind != block::form::strided || to.run < row || from.bytes() != to.bytes()) continue;
    direct.resize(rows.size(), 0);
    direct[place] = 1;
    pairs.copy(from, to);
  }
  if (!direct.empty()) copies = planned_copies(pairs.finish());
  return direct;
}

message_parts::message_parts(const message& m, std::vector<std::uint8_t> chosen, const bind_request& request)
    : staged(m, request.plan, request.kernels, request.code), direct(std::move(chosen)) {
  if (!direct.empty()) {
    in_place = staged;
    in_place.choose(direct, 1);
    staged.choose(direct, 0);
  }
  in_place_offset = (staged.bytes() + 63) / 64 * 64;
}

}  // namespace wherry
