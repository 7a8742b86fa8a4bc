#include "window_pool.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "companions.hpp"
#include "core/available_memory.hpp"
#include "core/collective.hpp"
#include "core/communicator_attribute.hpp"

namespace wherry {
namespace {

constexpr const char* where = "windows";

using pool_pointer = std::shared_ptr<window_pool>;

/// Of the ranks' windows, both at most the largest number there is.
struct window_bytes {
  std::size_t all, largest;
};
std::size_t at_most(std::size_t a, std::size_t times) {
  constexpr auto limit = std::numeric_limits<std::size_t>::max();
  return times != 0 && a > limit / times ? limit : a * times;
}
window_bytes together(const window_bytes& a, const window_bytes& b) {
  constexpr auto limit = std::numeric_limits<std::size_t>::max();
  return {a.all > limit - b.all ? limit : a.all + b.all, std::max(a.largest, b.largest)};
}

/// MPI takes a window's memory without asking whether it is there. @throws error(resource) on all ranks alike
void require_shared_memory(const communicator& comm, std::size_t bytes) {
  const auto asked = patient::allreduce(comm, where, std::vector{window_bytes{bytes, bytes}}, together)[0];
  const auto here = std::min(asked.all, at_most(asked.largest, comm.node_ranks().size()));
  const auto shortage = shared_memory_shortage(here);
  const std::vector mine{shortage.empty() ? comm.size() : comm.rank()};
  const int short_of_it = patient::allreduce(comm, where, mine, patient::least)[0];
  if (short_of_it == comm.size()) return;
  throw error(error_kind::resource, where,
              shortage.empty() ? text("rank ", short_of_it, " has no room for its node's window")
                               : text(here, " bytes for this node's window are not to be had: ", shortage),
              comm.rank(), {short_of_it});
}

}  // namespace

pool_pointer window_pool::of(const communicator& comm) {
  using attribute = communicator_attribute<pool_pointer>;
  if (const auto* kept = attribute::find(comm.handle())) return *kept;
  auto pool = std::make_shared<window_pool>();
  // Those that an exchange still has then, on any rank, are left to MPI_Finalize.
  comm.at_end([pool](const communicator& ending) {
    patient::barrier(ending, where);  // all that anybody waited for has been sent then
    companions::progress();           // so what was abandoned here ends, and gives its windows back
    pool->free_unused(ending);
  });
  return attribute::set(comm.handle(), std::make_unique<pool_pointer>(pool));
}

window_pool::window window_pool::make(const communicator& comm, std::size_t bytes) {
  free_unused(comm);  // all are here then
  window w;
  // Whole cache lines, so that the parts of neighbouring ranks keep their alignment.
  constexpr std::size_t line = 64;  // MPI promises no alignment
  const auto size = static_cast<MPI_Aint>((std::max<std::size_t>(bytes, 1) + line - 1) / line * line + line);
  // On one node not MPI_Win_allocate: Open MPI 4.1's osc/rdma names the file behind it by the job and the context
  // alone, which sister communicators share, and one of them then finds its file gone.
  const bool one_node = comm.node_ranks().size() == static_cast<std::size_t>(comm.size());
  const auto allocate = one_node ? PMPI_Win_allocate_shared : PMPI_Win_allocate;
  require_shared_memory(comm, static_cast<std::size_t>(size));
  check_mpi(allocate(size, 1, MPI_INFO_NULL, comm.handle(), static_cast<void*>(&w.memory), &w.handle),
            one_node ? "MPI_Win_allocate_shared" : "MPI_Win_allocate");
  std::memset(w.memory, 0, static_cast<std::size_t>(size));
  w.shift = static_cast<MPI_Aint>((line - reinterpret_cast<std::uintptr_t>(w.memory) % line) % line);
  w.memory += w.shift;
  open(comm, w, nullptr);
  return w;
}

window_pool::window window_pool::make_over(const communicator& comm, std::span<std::byte> memory,
                                           std::shared_ptr<const void> keep) {
  free_unused(comm);
  window w;
  check_mpi(
      PMPI_Win_create(memory.data(), static_cast<MPI_Aint>(memory.size()), 1, MPI_INFO_NULL, comm.handle(), &w.handle),
      "MPI_Win_create");
  w.memory = memory.data();
  open(comm, w, std::move(keep));
  return w;
}

void window_pool::open(const communicator& comm, window& made, std::shared_ptr<const void> keep) {
  check_mpi(PMPI_Win_set_errhandler(made.handle, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check_mpi(PMPI_Win_lock_all(MPI_MODE_NOCHECK, made.handle), "MPI_Win_lock_all");
  check_mpi(PMPI_Win_sync(made.handle), "MPI_Win_sync");
  patient::barrier(comm, where);
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
  const auto unused = patient::allreduce(comm, where, mine, patient::least);
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
