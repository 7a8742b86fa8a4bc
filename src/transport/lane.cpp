#include "lane.hpp"

#include <algorithm>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"

#include "staging.hpp"

namespace wherry {
namespace {

/// The messages whose peer satisfies `wanted`. Copies to oneself are no transport's business.
template <class Wanted> std::vector<stage> messages_to(const std::vector<stage>& all, Wanted wanted) {
  std::vector<stage> part;
  for (const auto& whole : all) {
    auto& mine = part.emplace_back();
    for (const auto& m : whole.sends)
      if (wanted(m.peer)) mine.sends.push_back({m.peer, store, m.first, m.count});  // what happens there was compared
    for (const auto& m : whole.receives)
      if (wanted(m.peer)) mine.receives.push_back(m);
  }
  return part;
}

std::unique_ptr<lane> bind_lane(const bind_request& request, std::vector<stage> stages, std::string_view name,
                                std::string reason) {
  auto result = std::make_unique<lane>();
  result->by = &find_transport(name);
  result->stages = std::move(stages);
  result->reason = std::move(reason);
  // Where one rank has no memory for its messages nobody is bound.
  collectively(request.comm, request.plan.pattern, [&] {
    const bind_request mine{request.comm, request.plan, result->stages,   request.kernels,
                            request.code, request.tag,  request.snapshot, request.keep_buffers};
    const auto bytes = static_cast<std::size_t>(bytes_of_messages(mine));
    result->carried = allocating(request.plan.pattern, "messages", bytes, [&] { return result->by->bind(mine); });
  });
  return result;
}

/// Binds to shared memory, or to nothing where the machine has none left; all ranks alike.
std::unique_ptr<lane> try_shared(const bind_request& request, std::vector<stage> stages) {
  try {
    return bind_lane(request, std::move(stages), "shared", "same node");
  } catch (const error& failure) {
    if (failure.kind() != error_kind::resource) throw;
    return nullptr;
  }
}

}  // namespace

std::vector<std::unique_ptr<lane>> bind_lanes(const bind_request& request, std::string_view name, bool total) {
  constexpr std::string_view remote = "two_sided";
  const auto& comm = request.comm;
  const auto everybody = [&] { return messages_to(request.stages, [](int) { return true; }); };
  std::vector<std::unique_ptr<lane>> lanes;
  if (name != "auto") {
    lanes.push_back(bind_lane(request, everybody(), name, "asked for"));
    return lanes;
  }
  if (!request.keep_buffers) {
    lanes.push_back(bind_lane(request, everybody(), remote, "buffers are given back between exchanges"));
    return lanes;
  }
  // What decides here is the same on all ranks.
  const auto on_node = static_cast<int>(comm.node_ranks().size());
  const auto& operations = request.code.reductions;
  const bool one_node = on_node == comm.size();
  const bool reduces = std::any_of(operations.begin(), operations.end(), [](const auto& op) { return !op.stores; });
  if (comm.size() == 1) return lanes;
  if (!one_node && total) {
    lanes.push_back(bind_lane(request, everybody(), "total_exchange",
                              "every rank sends as much to every other: recognised as a total exchange"));
    return lanes;
  }
  if (!one_node && reduces) {
    // Two lanes would combine what arrives in an order of their own, and sums of floats would differ.
    lanes.push_back(bind_lane(request, everybody(), remote, "a reduction over several nodes keeps one order"));
    return lanes;
  }
  const auto same_node = messages_to(request.stages, [&](int peer) { return comm.node_index(peer) >= 0; });
  auto shared = try_shared(request, same_node);
  if (!shared) {
    lanes.push_back(bind_lane(request, everybody(), remote, "no shared memory to be had"));
    return lanes;
  }
  lanes.push_back(std::move(shared));
  if (one_node) return lanes;
  const auto elsewhere = messages_to(request.stages, [&](int peer) { return comm.node_index(peer) < 0; });
  lanes.push_back(bind_lane(request, elsewhere, remote, "other node"));
  return lanes;
}

}  // namespace wherry
