#include "patience.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <iterator>

#include "wherry/core/interruptible.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/settings.hpp"

#include "crowding.hpp"
#include "pings.hpp"
#include "rank_lives.hpp"

namespace wherry {
namespace {

// Sleeping is for waits that are long anyway: for a rank in trouble, or for one that computes while its peer is idle.
constexpr auto first_sleep = std::chrono::milliseconds(20);
constexpr timespec nap{0, 50'000};
constexpr auto first_look = std::chrono::milliseconds(200), between_looks = std::chrono::milliseconds(100);

std::atomic<void (*)()> other_work{nullptr};

/// Open MPI itself gives the core away in a call that finds nothing. With `sched_yield` behind it, all other ranks of a
/// crowded core would run twice before this rank looks again. So a wait calls MPI only at every fourth pause, and,
/// since many waits end before that, at some of all pauses.
bool is_to_look_after_mpi(unsigned pauses_before) {
  constexpr unsigned of_one_wait = 4, of_all = 64;
  thread_local unsigned all_pauses = 0;
  ++all_pauses;
  return detail::ranks_share_a_process || !node_is_crowded() || pauses_before % of_one_wait == of_one_wait - 1 ||
         all_pauses % of_all == 0;
}

}  // namespace

// While a simulated rank spins, nothing happens. If each rank has a core, polling for some microseconds takes no time
// from others, while a call of MPI and giving the core away cost as much as a message.
int patience::spin_limit() {
  constexpr int crowded = 5, alone = 200;
  if (detail::ranks_share_a_process) return 0;
  const int chosen = current_settings().spin;
  return chosen >= 0 ? chosen : node_is_crowded() ? crowded : alone;
}

std::string list_of(const std::vector<int>& ranks) {
  std::string list;
  for (const int rank : ranks) list += detail::text(list.empty() ? "" : ", ", rank);
  return list;
}

std::string first_of(const std::vector<int>& ranks) {
  constexpr std::size_t most = 8;
  if (ranks.size() <= most) return list_of(ranks);
  return list_of({ranks.begin(), ranks.begin() + most}) + ", ...";
}

void require_seconds(double seconds, std::string_view where, int rank) {
  if (std::isnan(seconds))
    throw error(error_kind::argument, where, "'seconds' is NaN, expected a number of seconds", rank);
}

void patience::meanwhile(void (*work)()) { other_work.store(work, std::memory_order_release); }

bool patience::slow_pause() {
  detail::require_mpi(pattern_, comm_.rank());  // in a child of fork() nothing comes
  detail::interruptible::check(pattern_, comm_.rank());
  if (auto* const work = other_work.load(std::memory_order_acquire)) work();
  if (is_to_look_after_mpi(yields_)) pings::answer(comm_);
  if constexpr (!detail::ranks_share_a_process) sched_yield();
  if ((++yields_ & 15) != 0) return false;
  const auto now = std::chrono::steady_clock::now();
  if (began_ == std::chrono::steady_clock::time_point{}) began_ = now;
  const auto waited = now - began_;
  if (waited > first_look && now > next_look_) {
    next_look_ = now + between_looks;
    look_for_the_dead();
  }
  if (waited > first_sleep && !detail::ranks_share_a_process) nanosleep(&nap, nullptr);
  const double limit = seconds_ >= 0 ? seconds_ : current_settings().timeout;
  return (seconds_ >= 0 || limit > 0) && std::chrono::duration<double>(waited).count() > limit;
}

void patience::progress() const { detail::progress_mpi(comm_.private_handle()); }

// The awaited data may have come before the death, so it is looked for once more before this throws.
void patience::look_for_the_dead() {
  auto& lives = comm_.lives();
  for (const int rank : lives.deaths_to_tell()) pings::tell_of_death(comm_, rank);
  std::vector<int> dead;
  if (needed_ == nullptr)
    dead = lives.newly_dead();
  else
    std::copy_if(needed_->begin(), needed_->end(), std::back_inserter(dead),
                 [&](int rank) { return lives.is_corrupt(rank); });
  if (dead.empty()) return;
  if (has_found_dead_) throw_lost(std::move(dead));
  has_found_dead_ = true;
  next_look_ = {};
}

void patience::throw_lost(std::vector<int> dead) const {
  const auto ranks = list_of(dead);
  throw error(error_kind::lost, pattern_,
              detail::text(what_, " number ", sequence_, " will never end, because a rank has died: rank ", ranks),
              comm_.rank(), std::move(dead));
}

void patience::throw_timeout(std::vector<int> missing) const {
  std::sort(missing.begin(), missing.end());
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  const auto ranks = missing.empty() ? "unknown" : list_of(missing);
  throw error(error_kind::timeout, pattern_,
              detail::text(what_, " number ", sequence_, " waited longer than WHERRY_TIMEOUT=",
                           current_settings().timeout, " s; not arrived: rank ", ranks),
              comm_.rank(), std::move(missing));
}

}  // namespace wherry
