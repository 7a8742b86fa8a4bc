// Persistent collectives may be started in another order on each rank (MPI-4.1, section 7.13), so each has what the
// ranks' order of calls is kept in, boards, mailboxes and a tag, for itself, while it lasts; then another one gets it.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

namespace wherry::collective {

struct communicator_state;

/// One of them. Freed with its communicator, unless somebody still has it: MPI may then free windows no more.
struct persistent_channel {
  explicit persistent_channel(communicator_state& users);
  ~persistent_channel();
  persistent_channel(const persistent_channel&) = delete;
  persistent_channel& operator=(const persistent_channel&) = delete;

  std::unique_ptr<communicator_state> on;
  std::atomic<bool> taken{false};  ///< on this rank; whoever finds it free sees what the last one has done
};

/// Those of one communicator.
class persistent_channels {
 public:
  persistent_channels();
  ~persistent_channels();
  persistent_channels(const persistent_channels&) = delete;
  persistent_channels& operator=(const persistent_channels&) = delete;

  /// Collective: one that no rank uses any more, or a new one. `taken` is to be cleared when it is needed no more.
  std::shared_ptr<persistent_channel> take(communicator_state& users);

  /// Whether anything has begun by one of them, and not ended.
  bool any_under_way() const;

 private:
  std::vector<std::shared_ptr<persistent_channel>> all_;
};

}  // namespace wherry::collective
