// Atomic operations on words of segments.
#include <limits>
#include <optional>

#include "PGASPI.h"
#include "calls.hpp"
#include "requests.hpp"
#include "weak_name.hpp"

WHERRY_WEAK_NAME(gaspi_atomic_fetch_add);
WHERRY_WEAK_NAME(gaspi_atomic_compare_swap);
WHERRY_WEAK_NAME(gaspi_atomic_max);

namespace wherry::gaspi {
namespace {

struct place {
  gaspi_segment_id_t segment;
  gaspi_offset_t offset;
  gaspi_rank_t rank;
};

/// Runs an atomic operation.
/// @param change gets the rank's segment and the time left, and returns the old value; nothing: it takes longer
template <class Change>
gaspi_return_t change_word(const char* call, const place& at, gaspi_atomic_value_t* old, gaspi_timeout_t timeout_ms,
                           Change&& change) {
  const time_limit limit(timeout_ms);
  return with_rank(call, at.rank, [&](world& w) {
    if (old == nullptr) return refuse(call, GASPI_ERR_NULLPTR, "'val_old' is null");
    if (at.offset % sizeof(gaspi_atomic_value_t) != 0)
      return refuse(call, GASPI_ERR_UNALIGN_OFF, detail::text("'offset' is ", at.offset, ", expected a multiple of 8"));
    byte_segment* there = nullptr;
    if (const auto wrong = find_segment(w, call, at.segment, at.rank, limit, there); wrong != GASPI_SUCCESS)
      return wrong;
    const auto bytes = there->bytes_of(at.rank);
    if (bytes < sizeof(gaspi_atomic_value_t) || at.offset > bytes - sizeof(gaspi_atomic_value_t))
      return refuse(
          call, GASPI_ERR_INV_REM_OFF,
          detail::text("the word at 'offset' ", at.offset, " is not inside the segment of ", bytes, " bytes"));
    if (!there->is_aligned(at.rank))
      return refuse(call, GASPI_ERR_UNALIGN_OFF,
                    detail::text("the memory that rank ", at.rank, " has bound begins between words"));
    const std::optional<gaspi_atomic_value_t> before = change(*there, limit.seconds_left());
    if (before) *old = *before;
    return in_time(before.has_value());
  });
}

}  // namespace
}  // namespace wherry::gaspi

using namespace wherry::gaspi;

gaspi_return_t pgaspi_atomic_fetch_add(const gaspi_segment_id_t segment_id, const gaspi_offset_t offset,
                                       const gaspi_rank_t rank, const gaspi_atomic_value_t val_add,
                                       gaspi_atomic_value_t* const val_old, const gaspi_timeout_t timeout_ms) {
  return change_word(
      "gaspi_atomic_fetch_add", {segment_id, offset, rank}, val_old, timeout_ms,
      [&](wherry::byte_segment& there, double seconds) { return there.fetch_add(rank, offset, val_add, seconds); });
}

gaspi_return_t pgaspi_atomic_compare_swap(const gaspi_segment_id_t segment_id, const gaspi_offset_t offset,
                                          const gaspi_rank_t rank, const gaspi_atomic_value_t comparator,
                                          const gaspi_atomic_value_t val_new, gaspi_atomic_value_t* const val_old,
                                          const gaspi_timeout_t timeout_ms) {
  return change_word("gaspi_atomic_compare_swap", {segment_id, offset, rank}, val_old, timeout_ms,
                     [&](wherry::byte_segment& there, double seconds) {
                       return there.compare_swap(rank, offset, comparator, val_new, seconds);
                     });
}

gaspi_return_t pgaspi_atomic_max(gaspi_atomic_value_t* max_value) {
  return answer("gaspi_atomic_max", max_value, [](world&) { return std::numeric_limits<gaspi_atomic_value_t>::max(); });
}
