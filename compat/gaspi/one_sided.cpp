// Writes and reads, single and in lists.
#include "PGASPI.h"
#include "requests.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_write);
WHERRY_WEAK_NAME(gaspi_read);
WHERRY_WEAK_NAME(gaspi_write_list);
WHERRY_WEAK_NAME(gaspi_read_list);

namespace wherry::gaspi {
namespace {

using move_piece = bool (*)(world&, queue&, gaspi_rank_t, const piece&, const found_piece&, const time_limit&);

gaspi_return_t one(const char* call, move_piece move, const piece& p, gaspi_rank_t rank, gaspi_queue_id_t queue,
                   gaspi_timeout_t timeout_ms) {
  const time_limit limit(timeout_ms);
  return with_rank(call, rank, [&](world& w) {
    if (const auto wrong = check_queue(w, call, queue, 1); wrong != GASPI_SUCCESS) return wrong;
    found_piece found;
    if (const auto wrong = find(w, call, p, rank, limit, found); wrong != GASPI_SUCCESS) return wrong;
    if (!move(w, w.queues[queue], rank, p, found, limit)) return GASPI_TIMEOUT;
    count(w.queues[queue], 1);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t many(const char* call, move_piece move, const piece_list& list, gaspi_rank_t rank,
                    gaspi_queue_id_t queue, gaspi_timeout_t timeout_ms) {
  const time_limit limit(timeout_ms);
  return with_rank(call, rank, [&](world& w) {
    found_piece found;
    if (const auto wrong = check_all(w, call, list, rank, queue, list.num, limit); wrong != GASPI_SUCCESS) return wrong;
    for (gaspi_number_t i = 0; i < list.num; ++i) {
      if (const auto wrong = find(w, call, list[i], rank, limit, found); wrong != GASPI_SUCCESS) return wrong;
      if (!move(w, w.queues[queue], rank, list[i], found, limit)) return GASPI_TIMEOUT;
    }
    count(w.queues[queue], list.num);
    return GASPI_SUCCESS;
  });
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;

gaspi_return_t pgaspi_write(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                            const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                            const gaspi_offset_t offset_remote, const gaspi_size_t size, const gaspi_queue_id_t queue,
                            const gaspi_timeout_t timeout_ms) {
  return one("gaspi_write", write_piece, {segment_id_local, offset_local, segment_id_remote, offset_remote, size}, rank,
             queue, timeout_ms);
}

gaspi_return_t pgaspi_read(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                           const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                           const gaspi_offset_t offset_remote, const gaspi_size_t size, const gaspi_queue_id_t queue,
                           const gaspi_timeout_t timeout_ms) {
  return one("gaspi_read", read_piece, {segment_id_local, offset_local, segment_id_remote, offset_remote, size}, rank,
             queue, timeout_ms);
}

gaspi_return_t pgaspi_write_list(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                                 gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                                 gaspi_segment_id_t* const segment_id_remote, gaspi_offset_t* const offset_remote,
                                 gaspi_size_t* const size, const gaspi_queue_id_t queue,
                                 const gaspi_timeout_t timeout_ms) {
  return many("gaspi_write_list", write_piece,
              {num, segment_id_local, offset_local, segment_id_remote, offset_remote, size}, rank, queue, timeout_ms);
}

gaspi_return_t pgaspi_read_list(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                                gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                                gaspi_segment_id_t* const segment_id_remote, gaspi_offset_t* const offset_remote,
                                gaspi_size_t* const size, const gaspi_queue_id_t queue,
                                const gaspi_timeout_t timeout_ms) {
  return many("gaspi_read_list", read_piece,
              {num, segment_id_local, offset_local, segment_id_remote, offset_remote, size}, rank, queue, timeout_ms);
}
