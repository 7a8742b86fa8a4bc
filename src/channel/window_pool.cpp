#include "window_pool.hpp"

#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "core/collective.hpp"
#include "core/communicator_attribute.hpp"
#include "flight/companions.hpp"

namespace wherry {
namespace {

constexpr const char* in_window_pool = "windows";

using pool_pointer = std::shared_ptr<window_pool>;

/// Explains a failure, because the error text of MPI for a window that cannot be made does not help.
void check_made(const communicator& comm, int status, const char* call) {
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  if (status != MPI_SUCCESS && level == MPI_THREAD_MULTIPLE && std::ssize(comm.node_ranks()) < comm.size()) {
    char said[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    PMPI_Error_string(status, said, &length);
    throw error(error_kind::mpi, call,
                detail::text(
                    said,
                    "; between hosts Open MPI 4 makes windows only where the network writes to memory by itself, or in "
                    "programs that start MPI without MPI_THREAD_MULTIPLE"),
                comm.rank());
  }
#endif
  static_cast<void>(comm);
  check_mpi(status, call);
}

}  // namespace

pool_pointer window_pool::of(const communicator& comm) {
  using attribute = communicator_attribute<pool_pointer>;
  if (const auto* kept = attribute::find(comm.private_handle())) return *kept;
  auto pool = std::make_shared<window_pool>();
  // Windows that an exchange of any rank still uses then are left to MPI_Finalize.
  comm.at_end([pool](const communicator& ending) {
    patient::barrier(ending, in_window_pool);  // everything that any rank waited for has been sent then
    companions::progress();                    // abandoned exchanges end, and give their windows back
    pool->free_unused(ending);
  });
  return attribute::set(comm.private_handle(), std::make_unique<pool_pointer>(pool));
}

window_pool::window window_pool::make(const communicator& comm, std::span<std::byte> memory,
                                      std::shared_ptr<const void> keep) {
  free_unused(comm);
  window w;
  check_made(comm,
             PMPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size()), 1, MPI_INFO_NULL,
                             comm.private_handle(), &w.handle),
             "MPI_Win_create");
  w.memory = memory.data();
  open(comm, w, std::move(keep));
  return w;
}

window_pool::window window_pool::make_dynamic(const communicator& comm) {
  free_unused(comm);
  window w;
  check_made(comm, PMPI_Win_create_dynamic(MPI_INFO_NULL, comm.private_handle(), &w.handle), "MPI_Win_create_dynamic");
  open(comm, w, nullptr);
  return w;
}

void window_pool::open(const communicator& comm, window& made, std::shared_ptr<const void> keep) {
  check_mpi(PMPI_Win_set_errhandler(made.handle, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check_mpi(PMPI_Win_lock_all(MPI_MODE_NOCHECK, made.handle), "MPI_Win_lock_all");
  check_mpi(PMPI_Win_sync(made.handle), "MPI_Win_sync");
  patient::barrier(comm, in_window_pool);
  made.number = ++made_;
  const std::lock_guard lock(guard_);
  entries_.push_back({made.handle, made.number, 0, std::move(keep)});
}

void window_pool::give_back(const window& w) {
  const std::lock_guard lock(guard_);
  for (auto& e : entries_)
    if (e.number == w.number) e.unused = 1;
}

void window_pool::free_unused(const communicator& comm) {
  std::vector<unsigned char> mine;
  {
    const std::lock_guard lock(guard_);
    for (const auto& e : entries_) mine.push_back(e.unused);
  }
  const auto unused = patient::allreduce(comm, in_window_pool, mine, patient::least);
  for (std::size_t i = entries_.size(); i-- > 0;)
    if (unused[i] != 0) free_window(i);
}

void window_pool::free_window(std::size_t place) {
  PMPI_Win_unlock_all(entries_[place].handle);
  PMPI_Win_free(&entries_[place].handle);
  const std::lock_guard lock(guard_);
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
}

}  // namespace wherry
