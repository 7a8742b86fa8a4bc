#include "finalize.hpp"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"

namespace wherry {
namespace {

struct last_works {
  std::mutex guard;
  std::vector<std::function<void()>> list;
  std::atomic<bool> ended{false};
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

extern "C" int wherry_before_finalize(MPI_Comm, int, void*, void*) {
  while (const auto last = take_last()) last();
  all().ended.store(true, std::memory_order_relaxed);
  return MPI_SUCCESS;
}

/// MPI deletes the attributes of MPI_COMM_SELF before it ends anything else (MPI 3.1, section 8.7.1).
bool hook_into_finalize() {
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, wherry_before_finalize, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr), "MPI_Comm_set_attr");
  return true;
}

}  // namespace

void at_finalize(std::function<void()> last) {
  [[maybe_unused]] static const bool hooked = hook_into_finalize();
  const std::lock_guard lock(all().guard);
  all().list.push_back(std::move(last));
}

bool mpi_has_ended() { return all().ended.load(std::memory_order_relaxed); }

}  // namespace wherry
