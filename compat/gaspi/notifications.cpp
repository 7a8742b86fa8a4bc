// Notifications: sent alone, after writes and after reads; waited for and taken.
#include "PGASPI.h"
#include "requests.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_notify);
WHERRY_WEAK_NAME(gaspi_notify_waitsome);
WHERRY_WEAK_NAME(gaspi_notify_reset);
WHERRY_WEAK_NAME(gaspi_write_notify);
WHERRY_WEAK_NAME(gaspi_write_list_notify);
WHERRY_WEAK_NAME(gaspi_read_notify);
WHERRY_WEAK_NAME(gaspi_read_list_notify);

namespace wherry::gaspi {
namespace {

struct notification {
  gaspi_segment_id_t segment;
  gaspi_notification_id_t id;
  gaspi_notification_t value;
};

/// Notifies a rank after everything that this queue has written to it, through any segment. To another node the
/// notification itself guarantees this order; within the node it is a plain store, which would overtake a put to memory
/// that the node does not share.
/// @return false if it is not done in time; the same call then continues it
bool notify_after(world& w, queue& q, byte_segment& notified, gaspi_rank_t rank, const notification& n,
                  const time_limit& limit) {
  if (q.has_far.load(std::memory_order_relaxed) && notified.memory_of(rank) != nullptr) {
    std::unique_lock lock(q.guard, std::defer_lock);
    if (!limit.take(lock) || !q.far.wait(limit.seconds_left())) return false;
    q.has_far.store(false, std::memory_order_relaxed);
  }
  if (!notified.notify(rank, static_cast<int>(n.id), n.value, limit.seconds_left())) return false;
  w.counters.add(statistic::notifications, 1);
  return true;
}

/// True if an earlier call has written the data, so that this one continues with its notification.
bool is_written(const byte_segment& notified, gaspi_rank_t rank, const notification& n) {
  return notified.is_notifying(rank, static_cast<int>(n.id), n.value);
}

/// Waits for the data that is read, and then notifies this rank itself.
bool notify_here(world& w, queue& q, gaspi_segment_id_t segment, gaspi_notification_id_t id, const time_limit& limit) {
  return notify_after(w, q, w.own(segment)->segment, w.rank, {segment, id, 1}, limit);
}

gaspi_return_t write_and_notify(const char* call, const piece_list& list, gaspi_rank_t rank, const notification& n,
                                gaspi_queue_id_t queue, gaspi_timeout_t timeout_ms) {
  const time_limit limit(timeout_ms);
  return with_rank(call, rank, [&](world& w) {
    found_piece found;
    if (const auto wrong = check_all(w, call, list, rank, queue, list.num + 1, limit); wrong != GASPI_SUCCESS)
      return wrong;
    byte_segment* notified = nullptr;
    if (const auto wrong = find_notified(w, call, n.segment, rank, n.id, n.value, limit, notified);
        wrong != GASPI_SUCCESS)
      return wrong;
    auto& q = w.queues[queue];
    for (gaspi_number_t i = 0; i < list.num && !is_written(*notified, rank, n); ++i) {
      if (const auto wrong = find(w, call, list[i], rank, limit, found); wrong != GASPI_SUCCESS) return wrong;
      if (!write_piece(w, q, rank, list[i], found, limit)) return GASPI_TIMEOUT;
    }
    if (!notify_after(w, q, *notified, rank, n, limit)) return GASPI_TIMEOUT;
    count(q, list.num + 1);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t read_and_notify(const char* call, const piece_list& list, gaspi_rank_t rank, gaspi_segment_id_t segment,
                               gaspi_notification_id_t id, gaspi_queue_id_t queue, gaspi_timeout_t timeout_ms) {
  const time_limit limit(timeout_ms);
  return with_rank(call, rank, [&](world& w) {
    found_piece found;
    if (const auto wrong = check_all(w, call, list, rank, queue, list.num + 1, limit); wrong != GASPI_SUCCESS)
      return wrong;
    if (id >= w.config.notification_num)
      return refuse(call, GASPI_ERR_INV_NOTIF_ID,
                    detail::text("the notification is ", id, ", expected 0 to ", w.config.notification_num - 1));
    if (w.own(segment) == nullptr)
      return refuse(call, GASPI_ERR_INV_SEG, detail::text("there is no local segment ", int{segment}));
    auto& q = w.queues[queue];
    for (gaspi_number_t i = 0; i < list.num; ++i) {
      if (const auto wrong = find(w, call, list[i], rank, limit, found); wrong != GASPI_SUCCESS) return wrong;
      if (!read_piece(w, q, rank, list[i], found, limit)) return GASPI_TIMEOUT;
    }
    if (!notify_here(w, q, segment, id, limit)) return GASPI_TIMEOUT;
    count(q, list.num + 1);
    return GASPI_SUCCESS;
  });
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_notify(const gaspi_segment_id_t segment_id_remote, const gaspi_rank_t rank,
                             const gaspi_notification_id_t notification_id,
                             const gaspi_notification_t notification_value, const gaspi_queue_id_t queue,
                             const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_notify";
  const time_limit limit(timeout_ms);
  return with_rank(call, rank, [&](world& w) {
    if (const auto wrong = check_queue(w, call, queue, 1); wrong != GASPI_SUCCESS) return wrong;
    wherry::byte_segment* notified = nullptr;
    if (const auto wrong =
            find_notified(w, call, segment_id_remote, rank, notification_id, notification_value, limit, notified);
        wrong != GASPI_SUCCESS)
      return wrong;
    if (!notify_after(w, w.queues[queue], *notified, rank, {segment_id_remote, notification_id, notification_value},
                      limit))
      return GASPI_TIMEOUT;
    count(w.queues[queue], 1);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_write_notify(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                   const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                                   const gaspi_offset_t offset_remote, const gaspi_size_t size,
                                   const gaspi_notification_id_t notification_id,
                                   const gaspi_notification_t notification_value, const gaspi_queue_id_t queue,
                                   const gaspi_timeout_t timeout_ms) {
  const piece_list only{1, &segment_id_local, &offset_local, &segment_id_remote, &offset_remote, &size};
  return write_and_notify("gaspi_write_notify", only, rank, {segment_id_remote, notification_id, notification_value},
                          queue, timeout_ms);
}

gaspi_return_t pgaspi_write_list_notify(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                                        gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                                        gaspi_segment_id_t* const segment_id_remote,
                                        gaspi_offset_t* const offset_remote, gaspi_size_t* const size,
                                        const gaspi_segment_id_t segment_id_notification,
                                        const gaspi_notification_id_t notification_id,
                                        const gaspi_notification_t notification_value, const gaspi_queue_id_t queue,
                                        const gaspi_timeout_t timeout_ms) {
  return write_and_notify("gaspi_write_list_notify",
                          {num, segment_id_local, offset_local, segment_id_remote, offset_remote, size}, rank,
                          {segment_id_notification, notification_id, notification_value}, queue, timeout_ms);
}

gaspi_return_t pgaspi_read_notify(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                  const gaspi_rank_t rank, const gaspi_segment_id_t segment_id_remote,
                                  const gaspi_offset_t offset_remote, const gaspi_size_t size,
                                  const gaspi_notification_id_t notification_id, const gaspi_queue_id_t queue,
                                  const gaspi_timeout_t timeout_ms) {
  const piece_list only{1, &segment_id_local, &offset_local, &segment_id_remote, &offset_remote, &size};
  return read_and_notify("gaspi_read_notify", only, rank, segment_id_local, notification_id, queue, timeout_ms);
}

gaspi_return_t pgaspi_read_list_notify(const gaspi_number_t num, gaspi_segment_id_t* const segment_id_local,
                                       gaspi_offset_t* const offset_local, const gaspi_rank_t rank,
                                       gaspi_segment_id_t* const segment_id_remote, gaspi_offset_t* const offset_remote,
                                       gaspi_size_t* const size, const gaspi_segment_id_t segment_id_notification,
                                       const gaspi_notification_id_t notification_id, const gaspi_queue_id_t queue,
                                       const gaspi_timeout_t timeout_ms) {
  return read_and_notify("gaspi_read_list_notify",
                         {num, segment_id_local, offset_local, segment_id_remote, offset_remote, size}, rank,
                         segment_id_notification, notification_id, queue, timeout_ms);
}

gaspi_return_t pgaspi_notify_waitsome(const gaspi_segment_id_t segment_id_local,
                                      const gaspi_notification_id_t notification_begin, const gaspi_number_t num,
                                      gaspi_notification_id_t* const first_id, const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_notify_waitsome";
  return in_world(call, [&](world& w) {
    if (first_id == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'first_id' is null");
    auto* const v = w.own(segment_id_local);
    if (v == nullptr) return refuse(call, GASPI_ERR_INV_SEG, text("there is no segment ", int{segment_id_local}));
    const auto most = w.config.notification_num;
    if (notification_begin >= most)
      return refuse(call, GASPI_ERR_INV_NOTIF_ID,
                    text("'notification_begin' is ", notification_begin, ", expected 0 to ", most - 1));
    if (num > most - notification_begin)
      return refuse(
          call, GASPI_ERR_INV_NUM,
          text("'num' is ", num, " from ", notification_begin, " on, but there are ", most, " notifications"));
    if (num == 0) return GASPI_SUCCESS;  // no notifications: there is nothing to wait for
    const auto id =
        v->segment.wait_some(static_cast<int>(notification_begin), static_cast<int>(num), seconds_of(timeout_ms));
    if (!id) return GASPI_TIMEOUT;
    *first_id = static_cast<gaspi_notification_id_t>(*id);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_notify_reset(const gaspi_segment_id_t segment_id_local,
                                   const gaspi_notification_id_t notification_id,
                                   gaspi_notification_t* const old_notification_val) {
  constexpr auto call = "gaspi_notify_reset";
  return in_world(call, [&](world& w) {
    auto* const v = w.own(segment_id_local);
    if (v == nullptr) return refuse(call, GASPI_ERR_INV_SEG, text("there is no segment ", int{segment_id_local}));
    if (notification_id >= w.config.notification_num)
      return refuse(call, GASPI_ERR_INV_NOTIF_ID,
                    text("the notification is ", notification_id, ", expected 0 to ", w.config.notification_num - 1));
    const auto old = v->segment.reset(static_cast<int>(notification_id));
    if (old_notification_val != nullptr) *old_notification_val = old;
    return GASPI_SUCCESS;
  });
}
