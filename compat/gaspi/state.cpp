// The ranks that are known to have died; ping and kill.
#include <algorithm>

#include "wherry/notify/health.hpp"

#include "PGASPI.h"
#include "calls.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_state_vec_get);
WHERRY_WEAK_NAME(gaspi_proc_ping);
WHERRY_WEAK_NAME(gaspi_proc_kill);

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_state_vec_get(gaspi_state_vector_t state_vector) {
  constexpr auto call = "gaspi_state_vec_get";
  return in_world(call, [&](world& w) {
    if (state_vector == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'state_vector' is null");
    const auto all = wherry::health(w.comm);
    std::transform(all.begin(), all.end(), state_vector, [](wherry::rank_health h) {
      return h == wherry::rank_health::healthy ? GASPI_STATE_HEALTHY : GASPI_STATE_CORRUPT;
    });
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_proc_ping(const gaspi_rank_t rank, gaspi_timeout_t tout) {
  constexpr auto call = "gaspi_proc_ping";
  return in_world(call, [&](world& w) {
    if (!w.has_rank(rank))
      return refuse(call, GASPI_ERR_INV_RANK, text("'rank' is ", rank, ", expected 0 to ", w.size - 1));
    if (wherry::ping(w.comm, rank, seconds_of(tout))) return GASPI_SUCCESS;
    return wherry::health(w.comm, rank) == wherry::rank_health::healthy ? GASPI_TIMEOUT : GASPI_ERROR;
  });
}

gaspi_return_t pgaspi_proc_kill(const gaspi_rank_t rank, const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_proc_kill";
  return in_world(call, [&](world& w) {
    if (!w.has_rank(rank) || rank == w.rank)
      return refuse(call, GASPI_ERR_INV_RANK,
                    text("'rank' is ", rank, ", expected another rank from 0 to ", w.size - 1));
    return in_time(wherry::end_rank(w.comm, rank, seconds_of(timeout_ms)));
  });
}
