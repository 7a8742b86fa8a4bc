/// @file
/// Windows: memory that other ranks put plain data into, without a call of this one.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

#include "wherry/core/mpi.hpp"

#include "mel/comm.hpp"
#include "mel/datatype.hpp"

namespace MEL {

using Aint = MPI_Aint;

/// An MPI_Win with a type of its own. Does not own it: WinFree gives it back. Of a communicator of one rank it is just
/// that rank's memory, with a null handle: Open MPI 4.1 makes no window of one rank where there may be threads.
class Win {
 public:
  Win() = default;
  explicit Win(MPI_Win window) : window_(window) {}
  Win(void* base, int unit) : base_(static_cast<char*>(base)), unit_(unit) {}
  explicit operator MPI_Win() const { return window_; }
  MPI_Win handle() const { return window_; }
  bool operator==(const Win&) const = default;

  /// Whether it is of one rank.
  bool alone() const { return unit_ > 0; }
  void* at(Aint displacement) const { return base_ + displacement * unit_; }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
  char* base_ = nullptr;
  int unit_ = 0;
};

namespace detail {

inline void must_be_a_window(std::string_view where, const Win& window) {
  if (window == Win()) refuse(where, "the window is null");
}
inline void must_be_in(std::string_view where, int rank, const Win& window) {
  must_not_be_negative(where, "the rank", rank);
  if (window.alone() && rank > 0) refuse(where, wherry::detail::text("there is no rank ", rank, " of 1"));
}
inline void lock(std::string_view where, int how, int rank, const Win& window) {
  must_be_a_window(where, window);
  must_be_in(where, rank, window);
  if (!window.alone()) wherry::check_mpi(MPI_Win_lock(how, rank, 0, window.handle()), where);
}

}  // namespace detail

/// `len` objects of this rank, none or null where it has nothing to offer; displacements count `unit` bytes.
/// Collective. @throws wherry::error for a negative length, before MPI is called
template <class T> Win WinCreate(T* ptr, const Aint len, const int unit, const Comm& comm) {
  constexpr std::string_view where = "MEL::WinCreate";
  constexpr auto each = static_cast<Aint>(sizeof(std::conditional_t<std::is_void_v<T>, char, T>));
  detail::must_not_be_negative(where, "the length", len);
  if (len > std::numeric_limits<Aint>::max() / each) detail::refuse(where, wherry::detail::text("the length is ", len));
  if (unit < 1) detail::refuse(where, wherry::detail::text("the unit of displacements is ", unit));
  if (CommSize(comm) == 1) return {const_cast<std::remove_cv_t<T>*>(ptr), unit};
  MPI_Win made;
  wherry::check_mpi(MPI_Win_create(ptr, len * each, unit, MPI_INFO_NULL, comm.handle(), &made), where);
  MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);  // errors are exceptions
  return Win(made);
}
/// Displacements count objects.
template <class T> Win WinCreate(T* ptr, const Aint len, const Comm& comm) {
  return WinCreate(ptr, len, static_cast<int>(sizeof(std::conditional_t<std::is_void_v<T>, char, T>)), comm);
}

/// Collective. The window becomes null; null is allowed.
inline void WinFree(Win& window) {
  MPI_Win handle = std::exchange(window, Win()).handle();
  if (handle != MPI_WIN_NULL) wherry::check_mpi(MPI_Win_free(&handle), "MEL::WinFree");
}

/// From here to WinUnlock this rank may put into the memory of `rank`, while others do, too.
inline void WinLockShared(const int rank, const Win& window) {
  detail::lock("MEL::WinLockShared", MPI_LOCK_SHARED, rank, window);
}
inline void WinLockShared(const Win& window, const int rank) { WinLockShared(rank, window); }
/// Returns when all that was put is there.
inline void WinUnlock(const int rank, const Win& window) {
  constexpr std::string_view where = "MEL::WinUnlock";
  detail::must_be_a_window(where, window);
  detail::must_be_in(where, rank, window);
  if (!window.alone()) wherry::check_mpi(MPI_Win_unlock(rank, window.handle()), where);
}
inline void WinUnlock(const Win& window, const int rank) { WinUnlock(rank, window); }

/// `count` objects of `type` at `ptr` go to `targetCount` of `targetType` in the memory of `rank`, from displacement
/// `displacement` on. They must stay as they are until WinUnlock. (MPI_Put has the rank before the displacement.)
template <class T>
void Put(const T* ptr, const int count, const Datatype& type, const Aint displacement, const int targetCount,
         const Datatype& targetType, const int rank, const Win& window) {
  constexpr std::string_view where = "MEL::Put";
  detail::must_be_a_window(where, window);
  detail::must_be_a_type(where, type);
  detail::must_be_a_type(where, targetType);
  detail::must_not_be_negative(where, "the count", count);
  detail::must_not_be_negative(where, "the count at the target", targetCount);
  detail::must_not_be_negative(where, "the displacement", displacement);
  detail::must_be_in(where, rank, window);
  if (window.alone())
    return wherry::check_mpi(MPI_Sendrecv(ptr, count, type.handle(), 0, 0, window.at(displacement), targetCount,
                                          targetType.handle(), 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE),
                             where);
  wherry::check_mpi(
      MPI_Put(ptr, count, type.handle(), rank, displacement, targetCount, targetType.handle(), window.handle()), where);
}
/// Plain data: its bytes, one behind the other.
template <class T> void Put(const T* ptr, const int len, const int rank, const Aint displacement, const Win& window) {
  const detail::counted_bytes<T> all(len);
  const Datatype type(all.type());
  Put(ptr, len, type, displacement, len, type, rank, window);
}

}  // namespace MEL
