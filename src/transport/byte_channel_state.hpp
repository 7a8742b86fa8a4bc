// What the byte streams of a communicator keep between calls.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "wherry/core/communicator.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_ring.hpp"
#include "byte_window.hpp"

namespace wherry {

class channel_state {
 public:
  channel_state();
  ~channel_state();
  /// That of a communicator, made when first asked for; lives as long as the communicator.
  static channel_state& of(const communicator& comm);

  /// A ring that no stream uses. Back it comes by `give_back`; it may then still be read.
  ring_writer& take_ring(const communicator& comm, bool shared);
  void give_back(ring_writer& ring);

  std::unique_ptr<first_piece> take_piece();
  void give_back(std::unique_ptr<first_piece> piece);

  /// For the windows of one stream from this rank; the next one is for answers to it.
  int next_body_tag(const communicator& comm);

  /// Streams to oneself that nobody has received yet.
  void leave(std::unique_ptr<byte_flight::state> flight);
  void forget_delivered();

  /// Of broadcasts: who publishes on which node, and where.
  struct broadcast_places {
    std::vector<int> first_of_node;      // of each rank: the first rank of its node
    std::vector<int> first_ranks;        // those, ascending
    std::vector<std::uint64_t> offsets;  // of the rings of this node's ranks, in their arenas
    std::unique_ptr<ring_writer> mine;
    bool shared = false;  // this node's ranks read from one another's rings
  };
  /// Collective the first time.
  broadcast_places& places(const communicator& comm);
  std::uint64_t next_broadcast() { return ++broadcasts_; }

 private:
  struct leased_ring {
    std::unique_ptr<ring_writer> ring;
    bool shared, taken;
  };
  std::mutex guard_;
  std::vector<leased_ring> rings_;
  std::vector<std::unique_ptr<first_piece>> pieces_;
  std::vector<std::unique_ptr<byte_flight::state>> left_;
  std::unique_ptr<broadcast_places> places_;
  std::uint64_t broadcasts_ = 0;
  int body_tag_ = 0;
};

/// A ring for the length of one stream.
class ring_lease {
 public:
  ring_lease() = default;
  ring_lease(const communicator& comm, bool shared)
      : state_(&channel_state::of(comm)), ring_(&state_->take_ring(comm, shared)) {
    ring_->prepare();
  }
  ring_lease(ring_lease&& other) noexcept : state_(other.state_), ring_(std::exchange(other.ring_, nullptr)) {}
  ring_lease& operator=(ring_lease&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(ring_, other.ring_);
    return *this;
  }
  ~ring_lease() {
    if (ring_ != nullptr) state_->give_back(*ring_);
  }
  /// Nobody is to use it again.
  void lose() { ring_ = nullptr; }
  ring_writer* operator->() const { return ring_; }
  ring_writer& operator*() const { return *ring_; }

 private:
  channel_state* state_ = nullptr;
  ring_writer* ring_ = nullptr;
};

}  // namespace wherry
