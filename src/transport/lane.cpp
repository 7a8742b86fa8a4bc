#include "lane.hpp"

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

/// The messages of a plan whose peer satisfies `wanted`. Copies to oneself are no transport's business.
template <class Wanted>
schedule messages_to(const schedule& plan, Wanted wanted) {
  schedule part;
  part.pattern = plan.pattern;
  part.fields = plan.fields;
  part.indices = plan.indices;
  for (const auto& whole : plan.stages) {
    auto& mine = part.stages.emplace_back();
    for (const auto& m : whole.sends)
      if (wanted(m.peer)) mine.sends.push_back(m);
    for (const auto& m : whole.receives)
      if (wanted(m.peer)) mine.receives.push_back(m);
  }
  return part;
}

std::unique_ptr<lane> bind_lane(const communicator& comm, schedule plan, const functions& code, int tag,
                                std::string_view name, std::string reason) {
  auto result = std::make_unique<lane>();
  result->by = &find_transport(name);
  result->plan = std::move(plan);
  result->reason = std::move(reason);
  result->carried = result->by->bind({comm, result->plan, code, tag});
  return result;
}

}  // namespace

std::vector<std::unique_ptr<lane>> bind_lanes(const communicator& comm, const schedule& plan, const functions& code,
                                              int tag, std::string_view name) {
  std::vector<std::unique_ptr<lane>> lanes;
  const auto everybody = [](int) { return true; };
  if (name != "auto") {
    lanes.push_back(bind_lane(comm, messages_to(plan, everybody), code, tag, name, "asked for"));
    return lanes;
  }
  lanes.push_back(bind_lane(comm, messages_to(plan, everybody), code, tag, "persistent", "the default"));
  return lanes;
}

}  // namespace wherry
