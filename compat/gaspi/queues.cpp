// Queues: their number, their size, and waits for them.
#include "PGASPI.h"
#include "requests.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_wait);
WHERRY_WEAK_NAME(gaspi_queue_create);
WHERRY_WEAK_NAME(gaspi_queue_delete);
WHERRY_WEAK_NAME(gaspi_queue_purge);
WHERRY_WEAK_NAME(gaspi_queue_size);
WHERRY_WEAK_NAME(gaspi_queue_num);
WHERRY_WEAK_NAME(gaspi_queue_max);
WHERRY_WEAK_NAME(gaspi_queue_size_max);

namespace wherry::gaspi {
namespace {

/// Empties a queue.
/// @param end ends its requests; it gets the time left, and returns false if they take longer
template <class End>
gaspi_return_t emptied(const char* call, gaspi_queue_id_t number, gaspi_timeout_t timeout_ms, End&& end) {
  const time_limit limit(timeout_ms);
  return in_world(call, [&](world& w) {
    if (const auto wrong = check_queue(w, call, number, 0); wrong != GASPI_SUCCESS && wrong != GASPI_QUEUE_FULL)
      return wrong;
    auto& q = w.queues[number];
    std::unique_lock lock(q.guard, std::defer_lock);
    if (!limit.take(lock) || !end(q.far, limit.seconds_left())) return GASPI_TIMEOUT;
    q.has_far.store(false, std::memory_order_relaxed);
    q.posted.store(0, std::memory_order_relaxed);
    return GASPI_SUCCESS;
  });
}

gaspi_number_t number_of_queues(const world& w) {
  gaspi_number_t number = 0;
  for (const auto& q : w.queues)
    if (q.is_open) ++number;
  return number;
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_wait(const gaspi_queue_id_t queue, const gaspi_timeout_t timeout_ms) {
  return emptied("gaspi_wait", queue, timeout_ms,
                 [](wherry::segment_queue& far, double seconds) { return far.wait(seconds); });
}

gaspi_return_t pgaspi_queue_purge(const gaspi_queue_id_t queue, const gaspi_timeout_t timeout_ms) {
  return emptied("gaspi_queue_purge", queue, timeout_ms, [](wherry::segment_queue& far, double) {
    far.purge();
    return true;
  });
}

gaspi_return_t pgaspi_queue_create(gaspi_queue_id_t* const queue, const gaspi_timeout_t) {
  constexpr auto call = "gaspi_queue_create";
  return in_world(call, [&](world& w) {
    if (queue == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'queue' is null");
    for (int number = 0; number < most_queues; ++number) {
      bool was_open = false;
      if (!w.queues[static_cast<std::size_t>(number)].is_open.compare_exchange_strong(was_open, true)) continue;
      *queue = static_cast<gaspi_queue_id_t>(number);
      return GASPI_SUCCESS;
    }
    return refuse(call, GASPI_ERROR, text("there are already ", most_queues, " queues, as many as possible"));
  });
}

gaspi_return_t pgaspi_queue_delete(const gaspi_queue_id_t queue) {
  constexpr auto call = "gaspi_queue_delete";
  return in_world(call, [&](world& w) {
    const auto ended = emptied(call, queue, GASPI_BLOCK, [](wherry::segment_queue& far, double) { return far.wait(); });
    if (ended == GASPI_SUCCESS) w.queues[queue].is_open = false;
    return ended;
  });
}

gaspi_return_t pgaspi_queue_size(const gaspi_queue_id_t queue, gaspi_number_t* const queue_size) {
  constexpr auto call = "gaspi_queue_size";
  return in_world(call, [&](world& w) {
    if (queue_size == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'queue_size' is null");
    if (const auto wrong = check_queue(w, call, queue, 0); wrong != GASPI_SUCCESS && wrong != GASPI_QUEUE_FULL)
      return wrong;
    *queue_size = w.queues[queue].posted.load(std::memory_order_relaxed);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_queue_num(gaspi_number_t* const queue_num) {
  return answer("gaspi_queue_num", queue_num, number_of_queues);
}

gaspi_return_t pgaspi_queue_max(gaspi_number_t* const queue_max) {
  return answer("gaspi_queue_max", queue_max, [](world&) { return most_queues; });
}

gaspi_return_t pgaspi_queue_size_max(gaspi_number_t* const queue_size_max) {
  return answer("gaspi_queue_size_max", queue_size_max, [](world& w) { return w.config.queue_size_max; });
}
