#include "packets.hpp"

#include "shape_figures.hpp"

namespace wherry {
namespace {

/// Puts packet k of each message into the k-th stage.
void cut(const std::vector<plans::message>& messages, std::vector<plans::message> plans::stage::* list,
         const plans::schedule& plan, std::int64_t most, std::vector<plans::stage>& stages) {
  for (const auto& whole : messages) {
    std::size_t packet = 0;
    std::int64_t filled = 0;
    for (std::size_t i = 0; i < whole.count; ++i) {
      const auto bytes = wire_bytes_of(plan.shapes, plan.rows[whole.first + i].shape);
      if (filled > 0 && filled + bytes > most) ++packet, filled = 0;
      if (packet == stages.size()) stages.emplace_back();
      if (filled == 0) (stages[packet].*list).push_back({whole.peer, whole.operation, whole.first + i, 0});
      ++(stages[packet].*list).back().count;
      filled += bytes;
    }
  }
}

}  // namespace

std::vector<plans::stage> in_packets(const plans::stage& whole, const plans::schedule& plan, std::int64_t most) {
  std::vector<plans::stage> stages(1);
  stages.front().copies = whole.copies;
  cut(whole.sends, &plans::stage::sends, plan, most, stages);
  cut(whole.receives, &plans::stage::receives, plan, most, stages);
  return stages;
}

}  // namespace wherry
