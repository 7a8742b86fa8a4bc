// Channels for persistent collectives. These may be started in another order on each rank (MPI-4.1, section 7.13).
// Boards, mailboxes and a tag depend on the order of calls: so each persistent collective has a set of its own while it
// lasts, which is then given to another one.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

namespace wherry::collective {

struct communicator_state;

/// One channel. It is freed with its communicator, unless it is still in use: MPI may then not be able to free windows
/// any more.
struct persistent_channel {
  explicit persistent_channel(communicator_state& users);
  ~persistent_channel();
  persistent_channel(const persistent_channel&) = delete;
  persistent_channel& operator=(const persistent_channel&) = delete;

  std::unique_ptr<communicator_state> on;
  /// On this rank; a thread that finds it free sees everything that its last user has done.
  std::atomic<bool> taken{false};
};

/// The channels of one communicator.
class persistent_channels {
 public:
  persistent_channels();
  ~persistent_channels();
  persistent_channels(const persistent_channels&) = delete;
  persistent_channels& operator=(const persistent_channels&) = delete;

  /// Takes a channel that no rank uses, or makes one. Collective. Clear `taken` to return it.
  std::shared_ptr<persistent_channel> take(communicator_state& users);

  /// True if a call on one of the channels has begun and has not ended.
  bool any_under_way() const;

 private:
  std::vector<std::shared_ptr<persistent_channel>> all_;
};

}  // namespace wherry::collective
