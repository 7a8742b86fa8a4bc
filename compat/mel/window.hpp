/// @file
/// Windows: memory that other ranks can read and write without a call of its owner. Calls are local unless they say
/// otherwise.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "wherry/core/mpi.hpp"

#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/operation.hpp"
#include "mel/request.hpp"
#include "mel/window_alone.hpp"

namespace MEL {

enum class LockType : int { EXCLUSIVE = MPI_LOCK_EXCLUSIVE, SHARED = MPI_LOCK_SHARED };

/// An MPI_Win as a class of its own, which does not own the window; WinFree frees it. Open MPI 4.1 makes no window of
/// one rank with MPI_THREAD_MULTIPLE: such a window is only that rank's memory, with a null handle and without an error
/// handler; all calls work on it.
class Win : public detail::handle_of<Win, MPI_Win> {
 public:
  static const Win WIN_NULL;

  Win() : handle_of(MPI_WIN_NULL) {}
  using handle_of::handle_of;
  using handle_of::operator=;
  Win(void* base, int unit, const Comm& self) : Win() {
    base_ = static_cast<char*>(base);
    unit_ = unit;
    self_ = self;
  }
  bool operator==(const Win&) const = default;

  /// True if the window is only one rank's memory.
  bool alone() const { return unit_ > 0; }
  void* at(Aint displacement) const { return base_ + displacement * unit_; }
  const Comm& self() const { return self_; }

 private:
  char* base_ = nullptr;
  int unit_ = 0;
  Comm self_;
};
inline const Win Win::WIN_NULL{};

namespace detail {

/// False for Open MPI with MPI_THREAD_MULTIPLE, which would print an error on the terminal.
inline bool makes_windows_of_one() {
#if defined(OPEN_MPI)
  return answer<int>("MEL::WinCreate", MPI_Query_thread) < MPI_THREAD_MULTIPLE;
#else
  return true;
#endif
}

inline void must_be_a_window(std::string_view where, const Win& window) {
  if (window == Win()) refuse(where, "'win' is WIN_NULL");
}
inline void must_be_in(std::string_view where, int rank, const Win& window) {
  must_not_be_negative(where, "the rank", rank);
  if (window.alone() && rank > 0)
    refuse(where, wherry::detail::text("the rank is ", rank, ", but the window has only rank 0"));
}

/// Calls `mpi(args..., window)`; does nothing for a window of one rank.
template <class... Parameters, class... Args>
void synchronise(std::string_view where, const Win& window, int (*mpi)(Parameters...), const Args&... args) {
  must_be_a_window(where, window);
  if (!window.alone()) call(where, mpi, args..., window);
}
template <class... Parameters>
void synchronise_with(std::string_view where, int rank, const Win& window, int (*mpi)(Parameters...)) {
  must_be_a_window(where, window);
  must_be_in(where, rank, window);
  synchronise(where, window, mpi, rank);
}

inline void lock(std::string_view where, const Win& window, int rank, int assertion, LockType how) {
  must_be_a_window(where, window);
  must_be_in(where, rank, window);
  synchronise(where, window, MPI_Win_lock, static_cast<int>(how), rank, assertion);
}

/// The arguments of one-sided calls, in MEL's order: MPI has the rank before the displacement.
struct transfer {
  void* ptr;
  int count;
  const Datatype& type;
  Aint displacement;
  int target_count;
  const Datatype& target_type;
  int rank;
  const Win& window;

  region here() const { return {ptr, count, type}; }
  region there() const { return {window.at(displacement), target_count, target_type}; }
  void check(std::string_view where) const {
    must_be_a_window(where, window);
    must_be_a_type(where, type);
    must_be_a_type(where, target_type);
    must_not_be_negative(where, "the count", count);
    must_not_be_negative(where, "the count at the target", target_count);
    must_not_be_negative(where, "the displacement", displacement);
    must_be_in(where, rank, window);
  }
  /// @param last the further arguments of the call
  template <class... Parameters, class... Last>
  void run(std::string_view where, int (*mpi)(Parameters...), const Last&... last) const {
    call(where, mpi, ptr, count, type, rank, displacement, target_count, target_type, last...);
  }
};

}  // namespace detail

/// Makes a window. Collective over `comm`. Each rank offers `len` objects at `ptr`; a rank that offers none may pass 0
/// and null. Displacements count units of `unit` bytes. For a void pointer `len` counts units.
/// @throws wherry::error for a negative length, before MPI is called
template <class T> Win WinCreate(T* ptr, Aint len, int unit, const Comm& comm) {
  constexpr std::string_view where = "MEL::WinCreate";
  if (unit < 1) detail::refuse(where, wherry::detail::text("'unit' is ", unit, ", expected 1 or more"));
  const auto each =
      std::is_void_v<T> ? unit : static_cast<Aint>(sizeof(std::conditional_t<std::is_void_v<T>, char, T>));
  detail::must_not_be_negative(where, "the length", len);
  if (len > std::numeric_limits<Aint>::max() / each)
    detail::refuse(where, wherry::detail::text("'len' is ", len, ", which is more than memory can hold"));
  void* const base = const_cast<std::remove_cv_t<T>*>(ptr);
  const bool one = detail::answer<int>(where, MPI_Comm_size, comm) == 1;
  if (one && !detail::makes_windows_of_one()) return {base, unit, CommDuplicate(Comm::SELF)};
  auto made = detail::answer<MPI_Win>(where, MPI_Win_create, base, len * each, unit, MPI_INFO_NULL, comm);
  MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);  // errors are exceptions
  return Win(made);
}
/// Makes a window with displacements that count objects. Collective over `comm`.
template <class T> Win WinCreate(T* ptr, Aint len, const Comm& comm) {
  return WinCreate(ptr, len, static_cast<int>(sizeof(std::conditional_t<std::is_void_v<T>, char, T>)), comm);
}

namespace detail {

inline void free_window(Win& window) {
  if (window.alone()) {
    Comm self = window.self();
    window = Win();
    CommFree(self);
  } else {
    give_back("MEL::WinFree", MPI_Win_free, window);
  }
}
inline void free_window(std::vector<Win>& windows) {
  for (Win& window : windows) free_window(window);
}

}  // namespace detail

/// Frees windows and sets them to null. Null is allowed. Collective over the ranks of each window.
template <detail::one_or_several<Win>... Windows> void WinFree(Windows&... windows) {
  (detail::free_window(windows), ...);
}

/// Begins or ends a period in which all ranks may access each other's windows. Collective over the ranks of the window.
inline void WinFence(const Win& window, int assertion = 0) {
  detail::synchronise("MEL::WinFence", window, MPI_Win_fence, assertion);
}

/// From here to WinUnlock this rank may access the window of `rank`: alone with EXCLUSIVE, together with others with
/// SHARED.
inline void WinLock(const Win& window, int rank, int assertion, LockType how) {
  detail::lock("MEL::WinLock", window, rank, assertion, how);
}
inline void WinLock(const Win& window, int rank, LockType how) { WinLock(window, rank, 0, how); }
inline void WinLockExclusive(const Win& window, int rank, int assertion = 0) {
  detail::lock("MEL::WinLockExclusive", window, rank, assertion, LockType::EXCLUSIVE);
}
inline void WinLockShared(const Win& window, int rank, int assertion = 0) {
  detail::lock("MEL::WinLockShared", window, rank, assertion, LockType::SHARED);
}
inline void WinLockShared(int rank, const Win& window) { WinLockShared(window, rank); }
/// Ends the access. Returns when all writes have arrived and all reads are done.
inline void WinUnlock(const Win& window, int rank) {
  detail::synchronise_with("MEL::WinUnlock", rank, window, MPI_Win_unlock);
}
inline void WinUnlock(int rank, const Win& window) { WinUnlock(window, rank); }

/// As WinLockShared, for the windows of all ranks.
inline void WinLockAll(const Win& window, int assertion = 0) {
  detail::synchronise("MEL::WinLockAll", window, MPI_Win_lock_all, assertion);
}
inline void WinUnlockAll(const Win& window) { detail::synchronise("MEL::WinUnlockAll", window, MPI_Win_unlock_all); }

/// Completes, at both sides, all operations that were begun with one rank or with all. The lock stays.
inline void WinFlush(const Win& window, int rank) {
  detail::synchronise_with("MEL::WinFlush", rank, window, MPI_Win_flush);
}
inline void WinFlushAll(const Win& window) { detail::synchronise("MEL::WinFlushAll", window, MPI_Win_flush_all); }
/// Completes the operations at this side only: the source of a write may be changed here.
inline void WinFlushLocal(const Win& window, int rank) {
  detail::synchronise_with("MEL::WinFlushLocal", rank, window, MPI_Win_flush_local);
}
inline void WinFlushLocalAll(const Win& window) {
  detail::synchronise("MEL::WinFlushLocalAll", window, MPI_Win_flush_local_all);
}
/// Makes this rank's own stores and the writes of other ranks visible to each other.
inline void WinSync(const Win& window) { detail::synchronise("MEL::WinSync", window, MPI_Win_sync); }

inline ErrorHandler WinCreateErrorHandler(ErrorHandlerFunc function) {
  return ErrorHandler(detail::answer<MPI_Errhandler>("MEL::WinCreateErrorHandler", MPI_Win_create_errhandler,
                                                     reinterpret_cast<MPI_Win_errhandler_function*>(function)));
}
/// The error handler of a window; null for a window without a handle.
inline ErrorHandler WinGetErrorHandler(const Win& window) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  detail::must_be_a_window("MEL::WinGetErrorHandler", window);
  if (!window.alone()) wherry::check_mpi(MPI_Win_get_errhandler(window, &handler), "MEL::WinGetErrorHandler");
  return ErrorHandler(handler);
}
inline void WinSetErrorHandler(const Win& window, const ErrorHandler& handler) {
  detail::must_be_a_window("MEL::WinSetErrorHandler", window);
  if (!window.alone()) wherry::check_mpi(MPI_Win_set_errhandler(window, handler), "MEL::WinSetErrorHandler");
}
inline void WinSetErrorHandler(const Win& window, ErrorHandlerFunc function) {
  detail::set_handler<Win>(function, WinCreateErrorHandler, WinSetErrorHandler, window);
}

}  // namespace MEL
