#include "finalize.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "communicator_attribute.hpp"

namespace wherry {
namespace {

struct last_works {
  std::mutex guard;
  std::vector<std::function<void()>> list;
  std::atomic<bool> begun{false};
};

/// Never destroyed: MPI_Finalize may be called by a destructor of static storage.
last_works& all() {
  static auto* one = new last_works;
  return *one;
}

/// A function may register others while it runs, so they are taken one by one.
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
    detail::end_of_mpi.store(detail::mpi_end::finalized, std::memory_order_relaxed);
  }
};

pid_t process_of_mpi = 0;

/// fork() calls this in the child, which then has one thread.
void note_fork() { detail::end_of_mpi.store(detail::mpi_end::forked, std::memory_order_relaxed); }

bool hook_into_finalize() {
  detail::watch_forks();
  communicator_attribute<finalize_hook>::set(MPI_COMM_SELF, std::make_unique<finalize_hook>());
  return true;
}

}  // namespace

constinit std::atomic<detail::mpi_end> detail::end_of_mpi{mpi_end::none};

void detail::watch_forks() {
  [[maybe_unused]] static const bool watched = [] {
    process_of_mpi = getpid();
    return pthread_atfork(nullptr, nullptr, note_fork) == 0;
  }();
}

std::string detail::since_mpi_has_ended() {
  if (!detail::is_forked_child()) return "after MPI_Finalize";
  return text("in process ", getpid(), ", a child by fork() of process ", process_of_mpi,
              ": only the parent may call it");
}

void detail::throw_mpi_has_ended(std::string_view where, int rank) {
  throw error(error_kind::state, where,
              text(detail::is_forked_child() ? "" : "MPI has ended: ", "it was called ", since_mpi_has_ended()), rank);
}

void at_finalize(std::function<void()> last) {
  [[maybe_unused]] static const bool hooked = hook_into_finalize();
  const std::lock_guard lock(all().guard);
  all().list.push_back(std::move(last));
}

bool finalize_has_begun() { return all().begun.load(std::memory_order_relaxed); }

void prepare_to_finalize() {
  if (detail::is_forked_child()) return;  // the parent does it
  while (const auto last = take_last()) last();
}

}  // namespace wherry
