#include "finalize.hpp"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "communicator_attribute.hpp"

namespace wherry {
namespace {

struct last_works {
  std::mutex guard;
  std::vector<std::function<void()>> list;
  std::atomic<bool> begun{false}, ended{false};
};

/// Never destroyed: MPI_Finalize may be called by a destructor of static storage.
last_works& all() {
  static auto* one = new last_works;
  return *one;
}

/// They may register more while they run.
std::function<void()> take_last() {
  const std::lock_guard lock(all().guard);
  if (all().list.empty()) return nullptr;
  auto last = std::move(all().list.back());
  all().list.pop_back();
  return last;
}

/// MPI deletes the attributes of MPI_COMM_SELF before it ends anything else (MPI 3.1, section 8.7.1).
struct finalize_hook {
  ~finalize_hook() {
    all().begun.store(true, std::memory_order_relaxed);
    prepare_to_finalize();
    all().ended.store(true, std::memory_order_relaxed);
  }
};

bool hook_into_finalize() {
  communicator_attribute<finalize_hook>::set(MPI_COMM_SELF, std::make_unique<finalize_hook>());
  return true;
}

}  // namespace

void at_finalize(std::function<void()> last) {
  [[maybe_unused]] static const bool hooked = hook_into_finalize();
  const std::lock_guard lock(all().guard);
  all().list.push_back(std::move(last));
}

bool finalize_has_begun() { return all().begun.load(std::memory_order_relaxed); }

void prepare_to_finalize() {
  while (const auto last = take_last()) last();
}

bool mpi_has_ended() { return all().ended.load(std::memory_order_relaxed); }

}  // namespace wherry
