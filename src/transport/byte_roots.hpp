// Ranks that name different roots: a root has nobody to hear that from, so it looks.
#pragma once

#include <optional>
#include <string_view>

#include "byte_channel_state.hpp"

namespace wherry {

/// Streams that reach a rank which is to receive none: their senders have named another root. They are taken, so that
/// nobody waits for that, and thrown away.
class stray_streams {
 public:
  /// Of a broadcast on its root.
  stray_streams(std::string_view where, const communicator& comm, broadcast_call call)
      : where_(where), comm_(comm), tag_(call.message_tag), call_(call) {}
  /// Of a call with a tag of its own.
  stray_streams(std::string_view where, const communicator& comm, int tag) : where_(where), comm_(comm), tag_(tag) {}

  /// To be called once all has left. Of two roots on one node one at least finds the other.
  /// @throws error(mismatch), also for what has come of the broadcast before of which this rank was the root
  void refuse() const;
  /// Looks again for what was late, when another broadcast begins; once. @throws error(mismatch)
  static void refuse_late(std::string_view where, const communicator& comm);

 private:
  void look_at_messages() const;
  void look_into_rings(const channel_state::broadcast_places& places) const;
  std::optional<int> sender(int tag) const;
  [[noreturn]] void throw_other_root(int other) const;

  std::string_view where_;
  communicator comm_;
  int tag_;
  std::optional<broadcast_call> call_;
};

}  // namespace wherry
