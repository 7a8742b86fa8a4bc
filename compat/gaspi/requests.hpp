// The common part of one-sided requests: their arguments are checked before any data moves, and they are counted.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "calls.hpp"
#include "statistics.hpp"

namespace wherry::gaspi {

/// The place of one piece of data, here and on the other rank.
struct piece {
  gaspi_segment_id_t segment_local;
  gaspi_offset_t offset_local;
  gaspi_segment_id_t segment_remote;
  gaspi_offset_t offset_remote;
  gaspi_size_t bytes;
};

/// A piece with its segments found.
struct found_piece {
  byte_segment* remote;
  std::span<std::byte> local;
};

/// A list of pieces in the form of GASPI's arguments.
struct piece_list {
  gaspi_number_t num;
  const gaspi_segment_id_t* segment_local;
  const gaspi_offset_t* offset_local;
  const gaspi_segment_id_t* segment_remote;
  const gaspi_offset_t* offset_remote;
  const gaspi_size_t* bytes;

  bool has_null() const {
    return segment_local == nullptr || offset_local == nullptr || segment_remote == nullptr ||
           offset_remote == nullptr || bytes == nullptr;
  }
  piece operator[](gaspi_number_t i) const {
    return {segment_local[i], offset_local[i], segment_remote[i], offset_remote[i], bytes[i]};
  }
};

gaspi_return_t check_list(world& w, std::string_view call, const piece_list& list);
/// GASPI_SUCCESS if the queue takes this many further requests.
gaspi_return_t check_queue(world& w, std::string_view call, gaspi_queue_id_t queue, gaspi_number_t requests);
gaspi_return_t check_rank(world& w, std::string_view call, gaspi_rank_t rank);
/// After MPI has refused an operation on this rank: asks whether the rank is alive, and records it in the state vector.
void ask_after(world& w, gaspi_rank_t rank);
/// Finds the rank's segment. GASPI_TIMEOUT: its node has not yet answered whether there is one.
gaspi_return_t find_segment(world& w, std::string_view call, gaspi_segment_id_t segment, gaspi_rank_t rank,
                            const time_limit& limit, byte_segment*& found);
gaspi_return_t find(world& w, std::string_view call, const piece& p, gaspi_rank_t rank, const time_limit& limit,
                    found_piece& found);
/// All of these checks.
gaspi_return_t check_all(world& w, std::string_view call, const piece_list& list, gaspi_rank_t rank,
                         gaspi_queue_id_t queue, gaspi_number_t requests, const time_limit& limit);
/// Finds the rank's segment for a notification, if the notification is allowed.
gaspi_return_t find_notified(world& w, std::string_view call, gaspi_segment_id_t segment, gaspi_rank_t rank,
                             gaspi_notification_id_t id, gaspi_notification_t value, const time_limit& limit,
                             byte_segment*& found);

/// Runs `body` between gaspi_proc_init and gaspi_proc_term, for an existing rank.
template <class Body> gaspi_return_t with_rank(const char* call, gaspi_rank_t rank, Body&& body) noexcept {
  return in_world(call, [&](world& w) {
    if (const auto wrong = check_rank(w, call, rank); wrong != GASPI_SUCCESS) return wrong;
    try {
      return body(w);
    } catch (const error& failure) {
      if (failure.kind() == error_kind::mpi) ask_after(w, rank);
      throw;
    }
  });
}

inline void count(queue& q, gaspi_number_t requests) {
  q.posted.store(q.posted.load(std::memory_order_relaxed) + requests, std::memory_order_relaxed);
}

/// Calls `write(queue)` with the queue for requests that are not done at once; only one thread at a time may use it.
/// @return false if another thread keeps the queue beyond the time limit
template <class Write>
bool post(queue& q, const byte_segment& remote, gaspi_rank_t rank, const time_limit& limit, Write&& write) {
  if (remote.memory_of(rank) != nullptr) {
    write(nullptr);
    return true;
  }
  std::unique_lock lock(q.guard, std::defer_lock);
  if (!limit.take(lock)) return false;
  write(&q.far);
  q.has_far.store(true, std::memory_order_relaxed);
  return true;
}

inline bool write_piece(world& w, queue& q, gaspi_rank_t rank, const piece& p, const found_piece& found,
                        const time_limit& limit) {
  if (!post(q, *found.remote, rank, limit,
            [&](segment_queue* far) { found.remote->write(rank, p.offset_remote, found.local, far); }))
    return false;
  w.counters.add(statistic::bytes_written, p.bytes);
  return true;
}

inline bool read_piece(world& w, queue& q, gaspi_rank_t rank, const piece& p, const found_piece& found,
                       const time_limit& limit) {
  if (!post(q, *found.remote, rank, limit,
            [&](segment_queue* far) { found.remote->read(rank, p.offset_remote, found.local, far); }))
    return false;
  w.counters.add(statistic::bytes_read, p.bytes);
  return true;
}

}  // namespace wherry::gaspi
