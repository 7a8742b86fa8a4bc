// Detects ranks that name different roots. No other rank tells a root that its call disagrees, so the root looks for
// streams that it should not receive.
#pragma once

#include <optional>
#include <string_view>

#include "byte_channel_state.hpp"

namespace wherry {

/// Streams that reach a rank which should receive none, because their senders have named another root. They are
/// received and thrown away, so that their senders do not wait.
class stray_streams {
 public:
  /// For a broadcast, on its root.
  stray_streams(std::string_view where, const communicator& comm, broadcast_call call)
      : where_(where), comm_(comm), tag_(call.message_tag), call_(call) {}
  /// For a call that has a tag of its own.
  stray_streams(std::string_view where, const communicator& comm, int tag) : where_(where), comm_(comm), tag_(tag) {}

  /// Call it when this rank's whole stream has left. If two ranks of one node are both roots, at least one of them
  /// finds the other.
  /// @throws error(mismatch), also for a stream that came late for this rank's previous broadcast as root
  void refuse() const;
  /// Looks once more, when another broadcast begins, for streams that came late. @throws error(mismatch)
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
