// A broadcast on its way to a rank that is not its root.
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

/// Only the root knows how it comes: while it is written, through rings and as windows between nodes; or packed before,
/// in messages along a tree of all ranks. Whatever comes is taken, and passed on.
class broadcast_arrival final : public byte_flight::state {
 public:
  /// @param polls without success before the second way is looked at, which takes a call of MPI
  broadcast_arrival(std::string_view where, const communicator& comm, int root, broadcast_call call,
                    std::uint64_t fingerprint, int polls);
  broadcast_arrival(const broadcast_arrival&) = delete;
  broadcast_arrival& operator=(const broadcast_arrival&) = delete;

  /// Whether it is known how it comes. @throws error(mismatch), once, when it finds that this rank has taken no part in
  /// an earlier broadcast that it was to read, or that there was another root of one of which it was the root
  bool has_begun();
  /// What can be read while it comes, once; null where all must have come.
  std::unique_ptr<byte_source> stream();

  /// True when nothing is left to do here.
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
