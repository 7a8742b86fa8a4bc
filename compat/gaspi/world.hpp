// The state between gaspi_proc_init and gaspi_proc_term: the ranks, their registered segments, queues and groups.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "wherry/channel/byte_segment.hpp"
#include "wherry/channel/segment_space.hpp"
#include "wherry/core/communicator.hpp"
#include "wherry/notify/passive_messages.hpp"
#include "wherry/notify/rank_group.hpp"

#include "GASPI_types.h"
#include "directory.hpp"
#include "statistics.hpp"
#include "time_limit.hpp"

namespace wherry::gaspi {

inline constexpr int segment_ids = 256;
inline constexpr int most_queues = 16;
inline constexpr int group_ids = 256;

inline double seconds_of(gaspi_timeout_t milliseconds) { return time_limit(milliseconds).seconds_left(); }

/// The segments with one id on all ranks: this rank's own, if it has one, and its knowledge of the others.
struct view {
  view(const channels::segment_space& space, const segment_options& options);

  byte_segment segment;
  std::vector<std::atomic<std::uint64_t>> known;  // one for each rank: the stamp at the last look
  channels::segment_ticket ticket{};
  gaspi_size_t bytes = 0;
  std::atomic<bool> is_here{false};  // this rank has a segment with this id
  bool is_registered = false;        // other ranks may use it
  bool waits_for_others = false;     // a collective creation has timed out and is to be continued
};

struct queue {
  std::atomic<gaspi_number_t> posted{0};  // approximate: threads that post at the same time may lose counts
  std::atomic<bool> is_open{false};
  std::timed_mutex guard;            // protects the queue below
  segment_queue far;                 // requests that are not done at once
  std::atomic<bool> has_far{false};  // true if `far` may hold a request; may be read without the guard
};

struct group {
  enum class kind : unsigned char { none, barrier, allreduce, allreduce_user };

  group(const communicator& comm, const gaspi_config_t& config)
      : ranks(comm, {.sizes = {.piece = std::max<std::size_t>(4096, config.allreduce_buf_size)}}) {}

  rank_group ranks;
  bool is_closed = false;    // gaspi_group_commit has begun
  kind active = kind::none;  // the collective that has timed out and is to be continued
};

class world {
 public:
  /// Collective over `comm`.
  /// @throws error
  world(const communicator& comm, const gaspi_config_t& config);

  /// The world; null outside gaspi_proc_init and gaspi_proc_term.
  static world* current() { return now.load(std::memory_order_acquire); }

  bool has_rank(gaspi_rank_t one) const { return one < size; }

  /// This rank's own segment; null if it has none with this id.
  view* own(gaspi_segment_id_t id) const {
    auto* const v = views[id].load(std::memory_order_acquire);
    return v != nullptr && v->is_here.load(std::memory_order_acquire) ? v : nullptr;
  }
  /// The rank's segment, to write to it, read from it and notify it; null if none is registered. Nothing: at the first
  /// use another node has not answered within the time limit; the same call continues.
  std::optional<byte_segment*> reached(gaspi_segment_id_t id, gaspi_rank_t peer, const time_limit& limit) {
    auto* const v = views[id].load(std::memory_order_acquire);
    if (v != nullptr && v->known[peer].load(std::memory_order_acquire) == listed.stamp(peer, id)) return &v->segment;
    return meet(id, peer, limit);
  }
  /// The segments with this id. The object is made at the first call.
  view& view_of(gaspi_segment_id_t id);

  communicator comm;
  gaspi_config_t config;
  gaspi_rank_t rank, size;
  channels::segment_space space;
  directory listed;
  passive_messages passive;
  std::array<std::atomic<view*>, segment_ids> views{};
  std::array<queue, most_queues> queues;
  std::array<std::unique_ptr<group>, group_ids> groups;
  std::timed_mutex asking;  // protects questions to other nodes; lock it before `guard`
  std::mutex guard;         // protects views, registration and groups
  statistics counters;

  static std::atomic<world*> now;

 private:
  std::optional<byte_segment*> meet(gaspi_segment_id_t id, gaspi_rank_t peer, const time_limit& limit);

  std::vector<std::unique_ptr<view>> made_;
};

}  // namespace wherry::gaspi
