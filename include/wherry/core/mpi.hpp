/// @file
/// Thin helpers around MPI: `mpi_session` and `run_main` start and end it, and `check_mpi` turns its error codes into
/// exceptions.
///
///     wherry::mpi_session mpi(argc, argv);  // first in `main`
///     std::printf("rank %d of %d\n", mpi.rank(), mpi.size());
///     std::puts(wherry::mpi_library_version().c_str());
///
/// A program that calls MPI_Init and MPI_Finalize itself needs nothing of this header.
#pragma once

#include <mpi.h>

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

namespace wherry {

/// Local. Throws error(mpi) with MPI's own text unless `status` is `MPI_SUCCESS`. `call` is the name of the MPI
/// function.
void check_mpi(int status, std::string_view call);

namespace detail {

/// True under a simulator in which all ranks are cooperative threads of one process, each with its own copy of all
/// statics (SimGrid's SMPI). There, only an MPI call lets the other ranks run, and the mappings of all ranks share one
/// address space.
#if defined(SMPI_H)
inline constexpr bool ranks_share_a_process = true;
#else
inline constexpr bool ranks_share_a_process = false;
#endif

/// Lets MPI progress, and lets a simulator run the other ranks. Loops that wait for something other than MPI call it.
void progress_mpi(MPI_Comm comm);

/// Makes a loop that waits for all ranks look less often under a simulator, if the speed of the loop does not matter.
/// Without a simulator it does nothing.
void spare_simulator();

/// Starts an MPI_Iallgather with `bytes` bytes from each rank. Under a simulator it is complete when the call returns.
MPI_Request start_allgather(const void* mine, void* all, int bytes, MPI_Comm comm);

/// True if the communicator has a Cartesian topology.
bool is_cartesian(MPI_Comm comm);

/// The reason why this process may use neither MPI nor anything that other ranks can see any more.
enum class mpi_end : unsigned char { none, finalized, forked };
extern std::atomic<mpi_end> end_of_mpi;

/// From now on, a child of fork() knows that it is one. Called by the code that starts MPI or finds it running.
void watch_forks();

/// "after MPI_Finalize", or "in process 12, a child by fork() of process 11, which alone may do this".
std::string since_mpi_has_ended();
[[noreturn]] void throw_mpi_has_ended(std::string_view where, int rank);

/// True between MPI_Init and MPI_Finalize, which is the only time at which a destructor may call MPI. False in a child
/// of fork().
bool mpi_is_running();

/// True once MPI_Finalize has begun in a process that has made a `communicator`, and in a child of such a process by
/// fork(): the objects in a child belong to its parent. Reads one word of memory and calls no MPI function.
inline bool mpi_has_ended() { return detail::end_of_mpi.load(std::memory_order_relaxed) != detail::mpi_end::none; }

/// True in a child, made by fork(), of a process that has made a `communicator`. Destructors and the exit of a child
/// must not change files, memory that ranks share, or other ranks.
inline bool is_forked_child() { return detail::end_of_mpi.load(std::memory_order_relaxed) == detail::mpi_end::forked; }

/// Begins every call that other ranks notice. @throws error(state) if MPI has ended, or in a child of fork()
inline void require_mpi(std::string_view where, int rank = -1) {
  if (mpi_has_ended()) detail::throw_mpi_has_ended(where, rank);
}

}  // namespace detail

/// Ends everything that Wherry does in threads of its own, and lets go of its duplicates of MPI_COMM_WORLD and
/// MPI_COMM_SELF. If you call MPI_Finalize yourself, call this on all ranks directly before it; `mpi_session` does so
/// for you. Without this call, MPI_Finalize does the same work. With MPICH that is too late: it
/// ignores locks by then, and ends the program if one stays taken. The call waits
/// for calls with a time limit that are still under way.
void prepare_to_finalize();

namespace detail {

/// Owns one MPI handle. `Free` is the MPI function that releases it. The destructor does nothing after MPI_Finalize.
template <class Handle, int (*Free)(Handle*)> class unique_mpi_handle {
 public:
  unique_mpi_handle() = default;
  explicit unique_mpi_handle(Handle handle) : handle_(handle), owned_(true) {}
  unique_mpi_handle(unique_mpi_handle&& other) noexcept
      : handle_(other.handle_), owned_(std::exchange(other.owned_, false)) {}
  unique_mpi_handle& operator=(unique_mpi_handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~unique_mpi_handle() {
    if (owned_ && mpi_is_running()) Free(&handle_);
  }

  Handle get() const { return handle_; }
  explicit operator bool() const { return owned_; }

 private:
  Handle handle_{};
  bool owned_ = false;
};

using unique_comm = unique_mpi_handle<MPI_Comm, PMPI_Comm_free>;
using unique_datatype = unique_mpi_handle<MPI_Datatype, PMPI_Type_free>;
using unique_request = unique_mpi_handle<MPI_Request, PMPI_Request_free>;
using unique_window = unique_mpi_handle<MPI_Win, PMPI_Win_free>;

}  // namespace detail

/// Starts MPI at the beginning of `main` and finalises it at the end of its scope. Collective over all processes of the
/// job. It does neither if the program has started MPI itself (GCL, section 2: "a little runtime component providing
/// initialization and finalization"). It asks for `MPI_THREAD_MULTIPLE` and takes the level that MPI provides. While it
/// lives, an uncaught exception ends the whole job, with one line from the rank that failed first.
class mpi_session {
 public:
  mpi_session();
  mpi_session(int& argc, char**& argv);
  ~mpi_session();
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;

  int rank() const;  ///< this rank in MPI_COMM_WORLD
  int size() const;  ///< the number of ranks of MPI_COMM_WORLD
  /// True if this object has started MPI, and will finalise it.
  bool owns_mpi() const { return owner_; }

 private:
  bool owner_ = false;
};

/// Runs `body` inside an `mpi_session` and returns its result. Collective over all processes of the job. If an
/// exception leaves `body` on one rank, `run_main` prints one message and ends the whole job, so that the other ranks
/// do not wait for ever.
int run_main(int argc, char** argv, int (*body)(int argc, char** argv));

/// The first line of MPI's own description, such as "Open MPI v4.1.4, …". Local.
std::string mpi_library_version();

}  // namespace wherry
