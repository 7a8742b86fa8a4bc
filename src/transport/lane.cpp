#include "lane.hpp"

#include <algorithm>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"

#include "device_fields.hpp"
#include "staging.hpp"

namespace wherry {
namespace {

/// The messages whose peer satisfies `wanted`. Copies of a rank to itself belong to no transport.
template <class Wanted> std::vector<plans::stage> messages_to(const std::vector<plans::stage>& all, Wanted wanted) {
  std::vector<plans::stage> part;
  for (const auto& whole : all) {
    auto& mine = part.emplace_back();
    for (const auto& m : whole.sends)
      if (wanted(m.peer))
        mine.sends.push_back({m.peer, detail::store, m.first, m.count});  // the receiver's operation was compared
    for (const auto& m : whole.receives)
      if (wanted(m.peer)) mine.receives.push_back(m);
  }
  return part;
}

bool is_meant(reach whose, bool same_node) { return whose == reach::all || (whose == reach::same_node) == same_node; }

/// Puts the packed messages of this row into memory that the row reaches.
void place_packed(const chosen_row& row, device_fields& all) {
  using where = packed_memory::where;
  if (row.by->lends) return;
  for (const bool same_node : {true, false})
    if (is_meant(row.whose, same_node))
      all.packed(same_node).place(row.by->device_memory ? where::on_device : where::pinned);
}

std::unique_ptr<lane> bind_lane(const transports::bind_request& request, const chosen_row& row, bool packs_on_devices) {
  auto result = std::make_unique<lane>();
  result->by = row.by;
  result->reason = row.reason;
  result->stages =
      messages_to(request.stages, [&](int peer) { return is_meant(row.whose, request.comm.node_index(peer) >= 0); });
  // If one rank has no memory for its messages, no rank binds. The rows themselves agree on more while they bind.
  if (packs_on_devices)
    detail::collectively(request.comm, request.plan.pattern, [&] {
      if (request.on_device != nullptr) place_packed(row, *request.on_device);
    });
  detail::collectively(request.comm, request.plan.pattern, [&] {
    const transports::bind_request mine{request.comm,     request.plan,         result->stages,
                                        request.kernels,  request.code,         request.tag,
                                        request.snapshot, request.keep_buffers, request.on_device};
    const auto bytes = static_cast<std::size_t>(bytes_of_messages(mine));
    result->carried =
        detail::allocating(request.plan.pattern, "messages", bytes, [&] { return result->by->bind(mine); });
  });
  return result;
}

}  // namespace

std::vector<std::unique_ptr<lane>> bind_lanes(const transports::bind_request& request, transport_choice& choice) {
  for (;;) {
    std::vector<std::unique_ptr<lane>> lanes;
    const transports::transport* last = nullptr;
    try {
      for (const auto& row : choice.rows()) {
        last = row.by;
        lanes.push_back(bind_lane(request, row, choice.packs_on_devices()));
      }
      if (request.on_device != nullptr) request.on_device->settle();
      return lanes;
    } catch (const error& failure) {
      if (failure.kind() != error_kind::resource ||
          !choice.do_without(*last, failure.text(), request.plan.pattern, request.comm.rank()))
        throw;
    }
  }
}

}  // namespace wherry
