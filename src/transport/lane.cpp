#include "lane.hpp"

#include <algorithm>

#include "wherry/core/allocation.hpp"
#include "wherry/core/checked.hpp"
#include "wherry/core/error.hpp"

namespace wherry {
namespace {

/// The messages of a plan whose peer satisfies `wanted`. Copies to oneself are no transport's business.
template <class Wanted> schedule messages_to(const schedule& plan, Wanted wanted) {
  schedule part;
  part.pattern = plan.pattern;
  part.fields = plan.fields;
  part.indices = plan.indices;
  for (const auto& whole : plan.stages) {
    auto& mine = part.stages.emplace_back();
    for (const auto& m : whole.sends)
      if (wanted(m.peer)) mine.sends.push_back({m.peer, store, m.blocks});  // what happens there was compared
    for (const auto& m : whole.receives)
      if (wanted(m.peer)) mine.receives.push_back(m);
  }
  return part;
}

std::unique_ptr<lane> bind_lane(const bind_request& request, schedule plan, std::string_view name, std::string reason) {
  auto result = std::make_unique<lane>();
  result->by = &find_transport(name);
  result->plan = std::move(plan);
  result->reason = std::move(reason);
  // Where one rank has no memory for its messages nobody is bound.
  collectively(request.comm, result->plan.pattern, [&] {
    const checked total{result->plan.pattern, "number of bytes of all messages", request.comm.rank()};
    const auto bytes = total.sum(result->plan.bytes_sent(), result->plan.bytes_received());
    result->carried = allocating(result->plan.pattern, "messages", static_cast<std::size_t>(bytes), [&] {
      return result->by->bind(
          {request.comm, result->plan, request.code, request.tag, request.snapshot, request.keep_buffers});
    });
  });
  return result;
}

/// Binds to shared memory, or to nothing where the machine has none left; all ranks alike.
std::unique_ptr<lane> try_shared(const bind_request& request, const schedule& plan) {
  try {
    return bind_lane(request, plan, "shared", "same node");
  } catch (const error& failure) {
    if (failure.kind() != error_kind::resource) throw;
    return nullptr;
  }
}

}  // namespace

std::vector<std::unique_ptr<lane>> bind_lanes(const bind_request& request, std::string_view name, bool total) {
  constexpr std::string_view remote = "two_sided";
  const auto& comm = request.comm;
  const auto everybody = [&] { return messages_to(request.plan, [](int) { return true; }); };
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
  const auto same_node = messages_to(request.plan, [&](int peer) { return comm.node_index(peer) >= 0; });
  auto shared = try_shared(request, same_node);
  if (!shared) {
    lanes.push_back(bind_lane(request, everybody(), remote, "no shared memory to be had"));
    return lanes;
  }
  lanes.push_back(std::move(shared));
  if (one_node) return lanes;
  const auto elsewhere = messages_to(request.plan, [&](int peer) { return comm.node_index(peer) < 0; });
  lanes.push_back(bind_lane(request, elsewhere, remote, "other node"));
  return lanes;
}

}  // namespace wherry
