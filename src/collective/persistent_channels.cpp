#include "persistent_channels.hpp"

#include <algorithm>

#include "communicator_state.hpp"
#include "core/collective.hpp"

namespace wherry::collective {

persistent_channel::persistent_channel(communicator_state& users)
    : on(std::make_unique<communicator_state>(users.comm)) {
  on->own_tag = on->comm.next_tag();
  on->sequence.keeps_to_the_node();
}
persistent_channel::~persistent_channel() = default;

persistent_channels::persistent_channels() = default;

/// Channels that are still taken belong to requests that the program has not freed. They are leaked, because freeing
/// them is collective and the end of a request is not.
persistent_channels::~persistent_channels() {
  for (auto& one : all_)
    if (one->taken.load(std::memory_order_acquire))
      static_cast<void>(new std::shared_ptr<persistent_channel>(std::move(one)));
}

std::shared_ptr<persistent_channel> persistent_channels::take(communicator_state& users) {
  std::vector<int> taken;
  for (const auto& one : all_)
    taken.push_back(one->taken.load(std::memory_order_acquire) || !one->on->given_up.empty() ? 1 : 0);
  if (!taken.empty()) taken = patient::allreduce(users.comm, "collective", taken, patient::most);
  const auto free = std::find(taken.begin(), taken.end(), 0) - taken.begin();
  if (free == static_cast<std::ptrdiff_t>(all_.size())) all_.push_back(std::make_shared<persistent_channel>(users));
  auto found = all_[static_cast<std::size_t>(free)];
  found->taken.store(true, std::memory_order_relaxed);
  return found;
}

bool persistent_channels::any_under_way() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const auto& one) { return one->on->calls_under_way.load(std::memory_order_acquire) != 0; });
}

}  // namespace wherry::collective
