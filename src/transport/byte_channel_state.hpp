// The state that the byte streams of a communicator keep between calls: rings, first pieces, and the agreement about
// broadcasts.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "wherry/core/communicator.hpp"

#include "byte_ring.hpp"
#include "byte_window.hpp"
#include "core/consensus.hpp"
#include "stream_log.hpp"

namespace wherry {

/// The purpose of a ring: a stream to one rank of this node, a stream by messages to one rank elsewhere, or broadcasts.
enum class ring_use { pair, messages, broadcast };

/// The numbers of one broadcast, which are the same on all ranks.
struct broadcast_call {
  int message_tag, window_tag;
  std::uint64_t stream;
};

/// A tag for the windows of one stream from this rank, on any communicator. The next higher tag is for the receiver's
/// answer.
int next_body_tag();

class channel_state {
 public:
  /// The state of a communicator. It is made by the first call and lives as long as the communicator.
  static std::shared_ptr<channel_state> of(const communicator& comm);
  channel_state(int rank, int size) : log_(std::make_shared<stream_log>(rank, size)) {}

  const std::shared_ptr<stream_log>& log() const { return log_; }

  /// Lends a ring that no stream uses. `give_back` returns it, possibly while readers still read it.
  ring_writer* take_ring(const communicator& comm, ring_use use);
  /// Lends the ring for broadcasts; null while it is in use, or while an earlier broadcast may still have to be
  /// published here. Broadcasts are published in order, so that no reader needs one while another one lies before it.
  ring_writer* take_broadcast_ring(std::uint64_t stream);
  void give_back(ring_writer& ring);

  std::unique_ptr<first_piece> take_piece();
  void give_back(std::unique_ptr<first_piece> piece);

  /// Where broadcasts are published: by which rank of each node, and at which offset.
  struct broadcast_places {
    std::vector<int> first_of_node;      // for each rank: the first rank of its node
    std::vector<int> first_ranks;        // the first ranks of all nodes, ascending
    std::vector<std::uint64_t> offsets;  // of the rings of this node's ranks, in their arenas
  };
  /// Collective the first time; null until all ranks have called it. @throws, on all ranks alike, error(resource), or
  /// error(state) if some rank is at another place of its program; this communicator then has no broadcasts
  const broadcast_places* places(const communicator& comm);
  /// The ranks that have not called `places`. Takes a second at most.
  std::vector<int> late_ranks(const communicator& comm);
  broadcast_call next_broadcast(const communicator& comm) { return {comm.next_tag(), comm.next_tag(), ++broadcasts_}; }

  /// Keeps the last broadcast of which this rank was the root. `last_root_of` returns it once, so that this rank can
  /// look whether another rank sent data for the same broadcast.
  void was_root_of(broadcast_call call);
  std::optional<broadcast_call> last_root_of();

  /// Broadcasts that are still to arrive here. The windows of such a broadcast in a ring belong to it, so nobody else
  /// may skip them. A broadcast that may turn out to be published by this rank's own ring holds that ring back.
  void await(std::uint64_t stream, bool may_be_published);
  void await_no_more(std::uint64_t stream);
  bool is_awaited(std::uint64_t stream);
  /// Notes that the owner of an awaited broadcast has let it go. Returns false while an earlier awaited broadcast still
  /// has to be read.
  bool may_leave(std::uint64_t stream);

 private:
  struct leased_ring {
    std::unique_ptr<ring_writer> ring;
    ring_use use;
    bool taken;
  };
  /// One rank's entry in the agreement about broadcasts.
  struct place {
    static constexpr std::uint64_t failed = 1, by_messages = 2;
    std::uint64_t offset, first_rank, said;
  };
  /// The agreement that is under way until all ranks have told their place.
  struct arrangement {
    communicator comm;
    consensus all{comm, "broadcast"};
    explicit arrangement(const communicator& of) : comm(of) {}
  };
  place make_broadcast_ring(const communicator& comm);
  void arrange(const communicator& comm);
  void look_at_places(const communicator& comm, const std::vector<place>& told);

  const std::shared_ptr<stream_log> log_;
  std::mutex guard_;
  std::vector<leased_ring> rings_;
  std::vector<std::unique_ptr<first_piece>> pieces_;
  std::unique_ptr<broadcast_places> places_;
  std::unique_ptr<arrangement> arranging_;
  std::exception_ptr no_places_;
  struct awaited {
    bool may_be_published = true;  // by this rank's own ring
    bool is_left = false;
  };
  std::map<std::uint64_t, awaited> awaited_;  // by stream number
  std::uint64_t broadcasts_ = 0;
  std::optional<broadcast_call> was_root_of_;
};

/// While it lives, a broadcast counts as awaited on this rank.
class awaited_broadcast {
 public:
  awaited_broadcast() = default;
  awaited_broadcast(std::shared_ptr<channel_state> state, std::uint64_t stream)
      : state_(std::move(state)), stream_(stream) {
    state_->await(stream_, true);
  }
  awaited_broadcast(awaited_broadcast&& other) noexcept = default;
  awaited_broadcast& operator=(awaited_broadcast&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(stream_, other.stream_);
    return *this;
  }
  ~awaited_broadcast() {
    if (state_ != nullptr) state_->await_no_more(stream_);
  }
  /// The broadcast is now published by this rank's ring, or never will be.
  void is_settled() { state_->await(stream_, false); }

 private:
  std::shared_ptr<channel_state> state_;
  std::uint64_t stream_ = 0;
};

/// Lends a ring for the time of one stream.
class ring_lease {
 public:
  ring_lease() = default;
  ring_lease(const communicator& comm, ring_use use) : ring_lease(channel_state::of(comm), comm, use) {
    ring_->prepare();
  }
  /// For a broadcast. Empty if the ring cannot be had yet.
  ring_lease(const communicator& comm, std::uint64_t stream) : ring_lease(channel_state::of(comm), stream) {
    if (ring_ != nullptr) ring_->prepare();
  }
  ring_lease(ring_lease&& other) noexcept
      : state_(std::move(other.state_)), ring_(std::exchange(other.ring_, nullptr)) {}
  ring_lease& operator=(ring_lease&& other) noexcept {
    std::swap(state_, other.state_);
    std::swap(ring_, other.ring_);
    return *this;
  }
  ~ring_lease() {
    if (ring_ != nullptr) state_->give_back(*ring_);
  }
  explicit operator bool() const { return ring_ != nullptr; }
  ring_writer* operator->() const { return ring_; }
  ring_writer& operator*() const { return *ring_; }

 private:
  ring_lease(std::shared_ptr<channel_state> state, const communicator& comm, ring_use use)
      : state_(std::move(state)), ring_(state_->take_ring(comm, use)) {}
  ring_lease(std::shared_ptr<channel_state> state, std::uint64_t stream)
      : state_(std::move(state)), ring_(state_->take_broadcast_ring(stream)) {}

  std::shared_ptr<channel_state> state_;
  ring_writer* ring_ = nullptr;
};

}  // namespace wherry
