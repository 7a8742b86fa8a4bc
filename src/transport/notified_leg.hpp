// A message that is written into the peer's segment: each side tells the other one where to write. For carriers that
// use notified_channel.hpp.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "bind_mail.hpp"
#include "core/cache_line.hpp"
#include "message_wise.hpp"

namespace wherry {

/// Where the other side writes: the slots, if this side receives, and the notification, which is the credit of a send
/// and the arrival of a receive.
struct notified_places {
  std::uint64_t slot[2] = {};
  std::uint32_t notification = 0;
  std::uint32_t segment = 0;
};

struct notified_leg : packed_leg {
  using packed_leg::packed_leg;
  notified_places mine, remote;
};

/// Takes the slots of a message that is received. @param end the end of the memory that is taken so far
inline void take_slots(notified_leg& receive, std::size_t& end) {
  for (auto& slot : receive.mine.slot) slot = std::exchange(end, end + in_lines(receive.packing.bytes()));
}

/// Towards one peer, a rank tells stage by stage, receives before sends, and the peer reads in that order.
template <class Stage> void tell_places(const transports::bind_request& request, std::vector<Stage>& stages) {
  bind_mail mail(request);
  for (const auto& part : stages) {
    for (const auto& r : part.receives) mail.send(r.peer, &r.mine, 1);
    for (const auto& s : part.sends) mail.send(s.peer, &s.mine, 1);
  }
  for (auto& part : stages) {
    for (auto& s : part.sends) mail.receive(s.peer, &s.remote, 1);
    for (auto& r : part.receives) mail.receive(r.peer, &r.remote, 1);
  }
  mail.finish();
}

}  // namespace wherry
