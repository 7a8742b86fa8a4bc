#include "companions.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <mutex>
#include <vector>

#include "wherry/core/settings.hpp"

#include "core/finalize.hpp"
#include "core/patience.hpp"

namespace wherry::companions {
namespace {

struct all_of_process {
  std::mutex guard;
  std::vector<flight*> list;
  std::vector<std::unique_ptr<flight>> graveyard, kept_for_good;
};

/// Never destroyed: MPI may still use the memory of flights that are left at the end.
all_of_process& all() {
  static auto* one = new all_of_process;
  [[maybe_unused]] static const bool waits_drive_it = (patience::meanwhile(progress), true);
  return *one;
}

template <class Work> void drive(Work& list) {
  for (auto& work : list) {
    if (!work->in_flight() || !work->try_turn()) continue;
    work->progress();
    work->end_turn();
  }
}

/// Takes the complete flights out of the graveyard. The caller destroys them without the guard, because their
/// destructors may take it.
std::vector<std::unique_ptr<flight>> at_their_end() {
  auto& graves = all().graveyard;
  const auto first = std::partition(graves.begin(), graves.end(), [](const auto& work) { return work->in_flight(); });
  std::vector<std::unique_ptr<flight>> ended;
  for (auto work = first; work != graves.end(); ++work)
    ((*work)->failed() ? all().kept_for_good : ended).push_back(std::move(*work));
  graves.erase(first, graves.end());
  adopted.store(graves.size(), std::memory_order_relaxed);
  return ended;
}

bool anybody_owes() {
  const std::lock_guard lock(all().guard);
  return std::any_of(all().graveyard.begin(), all().graveyard.end(), [](const auto& work) {
    const turn mine(*work);  // the progress thread may be driving it
    return work->owes();
  });
}

void last_chance() {
  progress_thread::stop();
  constexpr double at_least = 10;  // seconds; a later peer waits in MPI_Finalize, too, or never comes
  const auto limit = std::chrono::duration<double>(std::max(at_least, current_settings().timeout));
  const auto began = std::chrono::steady_clock::now();
  progress();
  while (anybody_owes() && std::chrono::steady_clock::now() - began < limit) {
    sched_yield();
    progress();
  }
}

}  // namespace

void attach(flight& work) {
  const std::lock_guard lock(all().guard);
  all().list.push_back(&work);
}

void detach(flight& work) {
  const std::lock_guard lock(all().guard);
  std::erase(all().list, &work);
}

void progress() {
  std::vector<std::unique_ptr<flight>> ended;
  {
    const std::unique_lock lock(all().guard, std::try_to_lock);
    if (!lock) return;  // another thread drives them
    const driving here;
    drive(all().list);
    if (all().graveyard.empty()) return;
    drive(all().graveyard);
    ended = at_their_end();
  }
}

void adopt(std::unique_ptr<flight> work) noexcept {
  [[maybe_unused]] static const bool watched = (at_finalize(last_chance), true);
  work->drive_alone();
  const std::lock_guard lock(all().guard);
  all().graveyard.push_back(std::move(work));
  adopted.store(all().graveyard.size(), std::memory_order_relaxed);
}

}  // namespace wherry::companions
