/// @file
/// MPI at arm's length: error checking, RAII for handles, starting MPI when asked to.
#pragma once

#include <mpi.h>

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

namespace wherry {

/// Throws `error` with MPI's own text unless `status` is `MPI_SUCCESS`.
void check_mpi(int status, std::string_view call);

/// True where all ranks are cooperative threads of one process (SimGrid's SMPI), each with its own copy of all statics:
/// only an MPI call lets the other ranks run, and all ranks' mappings share one address space.
#if defined(SMPI_H)
inline constexpr bool ranks_share_a_process = true;
#else
inline constexpr bool ranks_share_a_process = false;
#endif

namespace detail {

/// Lets MPI progress, and lets a simulator run the other ranks. For loops that wait for something else than MPI.
void progress_mpi(MPI_Comm comm);

/// For loops that wait for all ranks and that nobody times: in a simulator they look less often, else this does
/// nothing.
void spare_simulator();

/// MPI_Iallgather of bytes, `bytes` of each rank. Begins at once, in a simulator it has ended by then.
MPI_Request begin_allgather(const void* mine, void* all, int bytes, MPI_Comm comm);

/// Whether the communicator has a Cartesian topology.
bool is_cartesian(MPI_Comm comm);

/// Why this process may not use MPI, or what other ranks see, any more.
enum class mpi_end : unsigned char { none, finalized, forked };
extern std::atomic<mpi_end> end_of_mpi;

/// From now on a child of fork() knows that it is one. For those who start MPI, or find it running.
void watch_forks();

/// "after MPI_Finalize", or "in process 12, a child by fork() of process 11, which alone may do this".
std::string since_mpi_has_ended();
[[noreturn]] void throw_mpi_has_ended(std::string_view where, int rank);

}  // namespace detail

/// True between MPI_Init and MPI_Finalize: the only time when a destructor may call MPI. False in a child of fork().
bool mpi_is_running();

/// True once MPI_Finalize has begun in a process that has made a `communicator`, and in a child that such a process has
/// made by fork(): what is bound there is its parent's. A word in memory, no call of MPI.
inline bool mpi_has_ended() { return detail::end_of_mpi.load(std::memory_order_relaxed) != detail::mpi_end::none; }

/// True in such a child. What it destroys, and its end, must do nothing to files, to memory that ranks share, and to
/// other ranks.
inline bool is_forked_child() { return detail::end_of_mpi.load(std::memory_order_relaxed) == detail::mpi_end::forked; }

/// For every call that other ranks notice. @throws error(state) where MPI has ended, or in a child of fork()
inline void require_mpi(std::string_view where, int rank = -1) {
  if (mpi_has_ended()) detail::throw_mpi_has_ended(where, rank);
}

/// Ends what Wherry does in threads of its own, for who calls MPI_Finalize next, which would else be the first to do
/// so: but MPICH's says there first of all that there is one thread only, heeds no locks from then on, and ends the
/// program where one stays taken. `mpi_session` calls it. Waits for calls with a time limit that are still on their
/// way. Local.
void prepare_to_finalize();

/// Owns one MPI handle; `Free` is the MPI call that releases it. Does nothing after MPI_Finalize.
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

/// Starts MPI for programs that want the library to: `wherry::mpi_session mpi(argc, argv);` first in `main`.
/// Does nothing, and finalises nothing, where the program has started MPI itself (paper 1, section 2: "a little runtime
/// component providing initialization and finalization"). Asks for `MPI_THREAD_MULTIPLE` and takes what it gets.
/// While it lives an exception that nobody catches ends the whole job, with one line from the rank that failed first.
class mpi_session {
 public:
  mpi_session();
  mpi_session(int& argc, char**& argv);
  ~mpi_session();
  mpi_session(const mpi_session&) = delete;
  mpi_session& operator=(const mpi_session&) = delete;

  int rank() const;  ///< in MPI_COMM_WORLD
  int size() const;  ///< of MPI_COMM_WORLD
  bool owns_mpi() const { return owner_; }

 private:
  bool owner_ = false;
};

/// Runs `body` and turns an exception that escapes on one rank into one message and the end of the whole job, so that
/// the other ranks do not wait for ever. Returns what `body` returns.
int run_main(int argc, char** argv, int (*body)(int argc, char** argv));

/// "Open MPI v4.1.4, …", the first line of what MPI says of itself.
std::string mpi_library_version();

}  // namespace wherry
