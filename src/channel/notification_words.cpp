#include "wherry/channel/notification_words.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/owned.hpp"

#include "core/patience.hpp"
#include "measured_wait.hpp"
#include "segment_state.hpp"

namespace wherry {
std::optional<int> channels::notification_words::wait_longer(int first, int count, double seconds) const {
  if (seconds <= 0) {  // as `poll_for`, without the texts that only errors need
    detail::progress_mpi(comm_->private_handle());
    return std::nullopt;
  }
  const measured_wait wait(counts_, "wait", static_cast<std::uint64_t>(first));
  const auto range = count > 1 ? detail::text("notification ", first, " to ", first + count - 1)
                               : detail::text("notification ", first);
  const auto what = rank_ == comm_->rank() ? range : detail::text(range, " of rank ", rank_);
  std::optional<int> found;
  patience(*comm_, called_, what).poll_for(seconds, [&] {
    for (int id = first; id < first + count && !found; ++id)
      if (detail::notification_word::look(words_[id]) != 0) found = told(id);
    return found.has_value();
  });
  return found;
}

std::optional<std::uint32_t> channels::notification_words::wait_and_reset(int id, double seconds) const {
  using clock = std::chrono::steady_clock;
  const bool is_limited = seconds > 0 && seconds < no_limit;
  const auto began = is_limited ? clock::now() : clock::time_point();
  for (double left = seconds; wait_some(id, 1, left);) {
    if (const auto value = reset(id)) return value;  // otherwise another rank or thread has taken it
    if (is_limited) left = std::max(0.0, seconds - std::chrono::duration<double>(clock::now() - began).count());
  }
  return std::nullopt;
}

void channels::notification_words::settle() const { arrivals_->settle(); }

void channels::notification_words::throw_no_number() const { require_seconds(std::nan(""), called_, comm_->rank()); }

void channels::notification_words::throw_range(int first, int count) const {
  if (comm_ == nullptr) detail::throw_moved_from("segment");
  throw error(
      error_kind::argument, called_,
      detail::text("notifications ", first, " to ", std::int64_t{first} + count - 1, ", but there are ", count_),
      comm_->rank());
}

}  // namespace wherry
