// What the byte streams of a communicator keep between calls.
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

/// What a ring is for: streams to one rank of this node; streams to one rank elsewhere, by messages; broadcasts.
enum class ring_use { pair, messages, broadcast };

/// The numbers of one broadcast, the same on all ranks.
struct broadcast_call {
  int message_tag, window_tag;
  std::uint64_t stream;
};

/// For the windows of one stream from this rank, on any communicator; the next one is for answers to it.
int next_body_tag();

class channel_state {
 public:
  /// That of a communicator, made when first asked for; lives as long as the communicator.
  static std::shared_ptr<channel_state> of(const communicator& comm);
  channel_state(int rank, int size) : log_(std::make_shared<stream_log>(rank, size)) {}

  const std::shared_ptr<stream_log>& log() const { return log_; }

  /// A ring that no stream uses. Back it comes by `give_back`; it may then still be read.
  ring_writer* take_ring(const communicator& comm, ring_use use);
  /// The one for broadcasts, or null while it is in use. Broadcasts are published in their order, so that no reader
  /// needs one while another lies before it.
  ring_writer* take_broadcast_ring(std::uint64_t stream);
  void give_back(ring_writer& ring);

  std::unique_ptr<first_piece> take_piece();
  void give_back(std::unique_ptr<first_piece> piece);

  /// Of broadcasts: who publishes on which node, and where.
  struct broadcast_places {
    std::vector<int> first_of_node;      // of each rank: the first rank of its node
    std::vector<int> first_ranks;        // those, ascending
    std::vector<std::uint64_t> offsets;  // of the rings of this node's ranks, in their arenas
  };
  /// Collective the first time; null until all ranks have asked. @throws, on all ranks alike, error(resource), or
  /// error(state) where some rank is at another place of its program: there are no broadcasts then
  const broadcast_places* places(const communicator& comm);
  /// Which ranks have not asked. Takes a second at most.
  std::vector<int> late_ranks(const communicator& comm);
  broadcast_call next_broadcast(const communicator& comm) { return {comm.next_tag(), comm.next_tag(), ++broadcasts_}; }

  /// The broadcast of which this rank was the last root, once: what others sent for it may have come since.
  void was_root_of(broadcast_call call);
  std::optional<broadcast_call> last_root_of();

  /// Broadcasts that arrive here: what they bring is theirs. Some turn out to be published here.
  void await(std::uint64_t stream, bool may_be_published);
  void await_no_more(std::uint64_t stream);
  bool is_awaited(std::uint64_t stream);
  /// Nobody who awaits it will look for it again soon. False while one before it is to be read.
  bool may_leave(std::uint64_t stream);

 private:
  struct leased_ring {
    std::unique_ptr<ring_writer> ring;
    ring_use use;
    bool taken;
  };
  /// What each rank tells all others once.
  struct place {
    static constexpr std::uint64_t failed = 1, by_messages = 2;
    std::uint64_t offset, first_rank, said;
  };
  /// Until all have told.
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
    bool may_be_published = true;  // here
    bool is_left = false;
  };
  std::map<std::uint64_t, awaited> awaited_;  // broadcasts
  std::uint64_t broadcasts_ = 0;
  std::optional<broadcast_call> was_root_of_;
};

/// Says, as long as it lives, that a broadcast arrives here.
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
  /// It is published here now, or will not be.
  void is_settled() { state_->await(stream_, false); }

 private:
  std::shared_ptr<channel_state> state_;
  std::uint64_t stream_ = 0;
};

/// A ring for the length of one stream.
class ring_lease {
 public:
  ring_lease() = default;
  ring_lease(const communicator& comm, ring_use use) : ring_lease(channel_state::of(comm), comm, use) {
    ring_->prepare();
  }
  /// For a broadcast; empty while it cannot be published.
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
