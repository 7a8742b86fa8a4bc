#include "stage_places.hpp"

#include <algorithm>

#include "channel/notified_channel.hpp"

namespace wherry::gpi2 {

stage_places::stage_places(const caller& who, std::size_t bytes, std::size_t sends, std::size_t receives)
    : sends_(sends),
      values_(sends + receives),
      mine_(runtime::required(who).heap().take(who, bytes, static_cast<gaspi_number_t>(sends + receives))) {}

void stage_places::take(const caller& who) {
  std::uint32_t next = mine_.first;  // GASPI's own type may end at 65535
  const auto end = next + mine_.notifications;
  while (next < end) {
    gaspi_notification_id_t id = 0;
    gaspi_notification_t value = 0;
    const auto status =
        gaspi_notify_waitsome(mine_.segment, static_cast<gaspi_notification_id_t>(next), end - next, &id, GASPI_TEST);
    if (status == GASPI_TIMEOUT) return;
    check(who, "gaspi_notify_waitsome", status);
    check(who, "gaspi_notify_reset", gaspi_notify_reset(mine_.segment, id, &value));
    if (value != 0) values_[id - mine_.first].value = value;
    next = id + std::uint32_t{1};
  }
}

bool stage_places::is_settled(const caller& who, std::uint64_t starts) {
  take(who);
  return std::all_of(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(sends_),
                     [starts](const last_value& credit) { return has_come_to(starts, credit.value); });
}

void stage_places::give_back(runtime& to) noexcept { to.heap().give_back(mine_); }

}  // namespace wherry::gpi2
