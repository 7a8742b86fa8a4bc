// Passive communication.
#include "PGASPI.h"
#include "requests.hpp"
#include "statistics.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_passive_send);
WHERRY_WEAK_NAME(gaspi_passive_receive);

namespace wherry::gaspi {
namespace {

gaspi_return_t find_local(world& w, std::string_view call, gaspi_segment_id_t segment, gaspi_offset_t offset,
                          gaspi_size_t bytes, std::span<std::byte>& found) {
  if (bytes == 0 || bytes > w.config.passive_transfer_size_max)
    return refuse(call, GASPI_ERR_INV_SIZE,
                  detail::text("'size' is ", bytes, " bytes, expected 1 to ", w.config.passive_transfer_size_max));
  auto* const here = w.own(segment);
  if (here == nullptr) return refuse(call, GASPI_ERR_INV_SEG, detail::text("there is no segment ", int{segment}));
  if (offset > here->bytes || bytes > here->bytes - offset)
    return refuse(call, GASPI_ERR_INV_LOC_OFF,
                  detail::text(bytes, " bytes at ", offset, " of segment ", int{segment}, " are not inside it: it has ",
                               here->bytes, " bytes"));
  found = here->segment.memory().subspan(offset, bytes);
  return GASPI_SUCCESS;
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;
using wherry::detail::text;

gaspi_return_t pgaspi_passive_send(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                   const gaspi_rank_t rank, const gaspi_size_t size, const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_passive_send";
  return with_rank(call, rank, [&](world& w) {
    std::span<std::byte> data;
    if (const auto wrong = find_local(w, call, segment_id_local, offset_local, size, data); wrong != GASPI_SUCCESS)
      return wrong;
    if (!w.passive.send(rank, data, seconds_of(timeout_ms))) return GASPI_TIMEOUT;
    w.counters.add(statistic::passive_messages, 1);
    return GASPI_SUCCESS;
  });
}

gaspi_return_t pgaspi_passive_receive(const gaspi_segment_id_t segment_id_local, const gaspi_offset_t offset_local,
                                      gaspi_rank_t* const rem_rank, const gaspi_size_t size,
                                      const gaspi_timeout_t timeout_ms) {
  constexpr auto call = "gaspi_passive_receive";
  return in_world(call, [&](world& w) {
    if (rem_rank == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'rem_rank' is null");
    std::span<std::byte> into;
    if (const auto wrong = find_local(w, call, segment_id_local, offset_local, size, into); wrong != GASPI_SUCCESS)
      return wrong;
    try {
      const auto come = w.passive.receive(into, seconds_of(timeout_ms));
      if (!come) return GASPI_TIMEOUT;
      *rem_rank = static_cast<gaspi_rank_t>(come->from);
    } catch (const wherry::error& failure) {
      if (failure.kind() != wherry::error_kind::argument) throw;
      return refuse(call, GASPI_ERR_INV_SIZE, failure.what());  // the message is larger; it stays
    }
    return GASPI_SUCCESS;
  });
}
