#include "companions.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/patience.hpp"

namespace wherry::companions {
namespace {

struct all_of_process {
  std::mutex guard;
  std::vector<progressive*> list;
};

all_of_process& all() {
  static all_of_process one;
  [[maybe_unused]] static const bool waits_drive_it = (patience::meanwhile(progress), true);
  return one;
}

}  // namespace

void attach(progressive& work) {
  const std::lock_guard lock(all().guard);
  all().list.push_back(&work);
}

void detach(progressive& work) {
  const std::lock_guard lock(all().guard);
  std::erase(all().list, &work);
}

void progress() {
  const std::unique_lock lock(all().guard, std::try_to_lock);
  if (!lock) return;  // another thread is at it
  for (auto* work : all().list) {
    if (!work->in_flight() || !work->try_turn()) continue;
    work->progress();
    work->end_turn();
  }
}

}  // namespace wherry::companions
