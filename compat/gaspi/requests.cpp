#include "requests.hpp"

#include "wherry/notify/health.hpp"

namespace wherry::gaspi {

gaspi_return_t check_rank(world& w, std::string_view call, gaspi_rank_t rank) {
  return w.has_rank(rank)
             ? GASPI_SUCCESS
             : refuse(call, GASPI_ERR_INV_RANK, detail::text("'rank' is ", rank, ", expected 0 to ", w.size - 1));
}

// MPI also refuses a segment that its owner has deleted: a rank that answers a ping is alive.
void ask_after(world& w, gaspi_rank_t rank) {
  constexpr double seconds = 0.5;
  if (rank != w.rank && !wherry::ping(w.comm, rank, seconds)) wherry::take_for_dead(w.comm, rank);
}

gaspi_return_t check_queue(world& w, std::string_view call, gaspi_queue_id_t queue, gaspi_number_t requests) {
  if (queue >= most_queues || !w.queues[queue].is_open.load(std::memory_order_relaxed))
    return refuse(call, GASPI_ERR_INV_QUEUE, detail::text("there is no queue ", int{queue}));
  const auto posted = w.queues[queue].posted.load(std::memory_order_relaxed);
  if (posted > w.config.queue_size_max || requests > w.config.queue_size_max - posted)
    return refuse(call, GASPI_QUEUE_FULL,
                  detail::text("queue ", int{queue}, " is full: it holds ", posted, " of at most ",
                               w.config.queue_size_max, " requests"));
  return GASPI_SUCCESS;
}

gaspi_return_t check_list(world& w, std::string_view call, const piece_list& list) {
  if (list.has_null()) return refuse(call, GASPI_ERR_NULLPTR, "one of the lists is null");
  if (list.num == 0 || list.num > w.config.rw_list_elem_max)
    return refuse(call, GASPI_ERR_INV_NUM,
                  detail::text("'num' is ", list.num, ", expected 1 to ", w.config.rw_list_elem_max));
  return GASPI_SUCCESS;
}

gaspi_return_t find_segment(world& w, std::string_view call, gaspi_segment_id_t segment, gaspi_rank_t rank,
                            const time_limit& limit, byte_segment*& found) {
  const auto there = w.reached(segment, rank, limit);
  if (!there) return GASPI_TIMEOUT;
  found = *there;
  return found != nullptr ? GASPI_SUCCESS
                          : refuse(call, GASPI_ERR_INV_SEG,
                                   detail::text("rank ", rank, " has registered no segment ", int{segment}));
}

gaspi_return_t find(world& w, std::string_view call, const piece& p, gaspi_rank_t rank, const time_limit& limit,
                    found_piece& found) {
  if (p.bytes > w.config.transfer_size_max)
    return refuse(call, GASPI_ERR_INV_COMMSIZE,
                  detail::text("the request has ", p.bytes, " bytes, expected at most ", w.config.transfer_size_max));
  auto* const here = w.own(p.segment_local);
  if (here == nullptr)
    return refuse(call, GASPI_ERR_INV_SEG, detail::text("there is no local segment ", int{p.segment_local}));
  if (p.offset_local > here->bytes || p.bytes > here->bytes - p.offset_local)
    return refuse(call, GASPI_ERR_INV_LOC_OFF,
                  detail::text(p.bytes, " bytes at ", p.offset_local, " of local segment ", int{p.segment_local},
                               " are not inside it: it has ", here->bytes, " bytes"));
  byte_segment* there = nullptr;
  if (const auto wrong = find_segment(w, call, p.segment_remote, rank, limit, there); wrong != GASPI_SUCCESS)
    return wrong;
  if (const auto bytes = there->bytes_of(rank); p.offset_remote > bytes || p.bytes > bytes - p.offset_remote)
    return refuse(call, GASPI_ERR_INV_REM_OFF,
                  detail::text(p.bytes, " bytes at ", p.offset_remote, " of segment ", int{p.segment_remote},
                               " of rank ", rank, " are not inside it: it has ", bytes, " bytes"));
  found = {there, here->segment.memory().subspan(p.offset_local, p.bytes)};
  return GASPI_SUCCESS;
}

gaspi_return_t check_all(world& w, std::string_view call, const piece_list& list, gaspi_rank_t rank,
                         gaspi_queue_id_t queue, gaspi_number_t requests, const time_limit& limit) {
  if (const auto wrong = check_list(w, call, list); wrong != GASPI_SUCCESS) return wrong;
  if (const auto wrong = check_queue(w, call, queue, requests); wrong != GASPI_SUCCESS) return wrong;
  found_piece found;
  for (gaspi_number_t i = 0; i < list.num; ++i)
    if (const auto wrong = find(w, call, list[i], rank, limit, found); wrong != GASPI_SUCCESS) return wrong;
  return GASPI_SUCCESS;
}

gaspi_return_t find_notified(world& w, std::string_view call, gaspi_segment_id_t segment, gaspi_rank_t rank,
                             gaspi_notification_id_t id, gaspi_notification_t value, const time_limit& limit,
                             byte_segment*& found) {
  if (id >= w.config.notification_num)
    return refuse(call, GASPI_ERR_INV_NOTIF_ID,
                  detail::text("the notification is ", id, ", expected 0 to ", w.config.notification_num - 1));
  if (value == 0)
    return refuse(call, GASPI_ERR_INV_NOTIF_VAL,
                  "'notification_value' is 0, which means that there is no notification");
  return find_segment(w, call, segment, rank, limit, found);
}

}  // namespace wherry::gaspi
