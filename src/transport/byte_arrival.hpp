// The arrival of a broadcast on a rank that is not its root.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "byte_channel_state.hpp"
#include "byte_flight.hpp"
#include "byte_sources.hpp"
#include "byte_tree.hpp"

namespace wherry {

/// Only the root knows how a broadcast travels. A root that sends while it writes uses rings, and messages of one
/// window each between nodes; a root that packed the stream before sends it in messages along a tree of all ranks. This
/// class finds out which, takes the data and passes it on.
class broadcast_arrival final : public detail::byte_flight::state {
 public:
  /// @param polls how many polls may find nothing before it also looks for a packed stream, which takes a call of MPI
  broadcast_arrival(std::string_view where, const communicator& comm, int root, broadcast_call call,
                    std::uint64_t fingerprint, int polls);
  broadcast_arrival(const broadcast_arrival&) = delete;
  broadcast_arrival& operator=(const broadcast_arrival&) = delete;

  /// True if it is known how the broadcast comes. @throws error(mismatch), once, if this rank took no part in an
  /// earlier broadcast that it should have read, or if another rank, too, was a root of the last broadcast of which
  /// this rank was the root
  bool has_begun();
  /// Hands over, once, a source that can be read while the data arrives; null if the whole stream must arrive first.
  std::unique_ptr<byte_source> stream();

  /// True if nothing is left to do here.
  bool let_go() noexcept override;

  bool move() override;
  void append_missing(std::vector<int>& ranks) const override;
  std::string other_end() const override { return detail::text("from rank ", root_); }
  std::unique_ptr<byte_source> bytes() override;
  int source() const override { return root_; }
  bool owes() const override { return in_flight() && begun_; }

 private:
  void tell_others() override;
  void look_for_windows();
  template <class Windows> bool keep(arriving_windows<Windows>& windows);

  void settle();

  std::shared_ptr<channel_state> channels_;
  awaited_broadcast awaited_;
  int root_;
  broadcast_call call_;
  std::uint64_t fingerprint_;
  int polls_;
  bool begun_ = false, handed_over_ = false, has_looked_back_ = false;
  const channel_state::broadcast_places* places_ = nullptr;
  tree_place among_nodes_, among_all_;
  std::unique_ptr<arriving_windows<ring_windows>> ring_;
  std::unique_ptr<arriving_windows<relayed_windows>> relay_;
  std::unique_ptr<receive_flight> messages_;
  std::unique_ptr<window_list> list_;
};

}  // namespace wherry
