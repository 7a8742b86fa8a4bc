/// @file
/// Arrays that ranks share: one rank has the array in a window, each rank has a copy, and a mutex lets one rank at a
/// time use it. Locking fetches the array, or a part of it; unlocking writes it back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

#include "mel/memory.hpp"
#include "mel/mutex.hpp"
#include "mel/one_sided.hpp"

namespace MEL {

/// An array of plain data. This rank may read and change it while it holds the lock.
/// @throws wherry::error at other times
template <class T> struct Shared {
  static_assert(std::is_trivially_copyable_v<T>, "MEL: what ranks share is plain data");

  Mutex mutex;
  Win win;
  T* ptr = nullptr;
  int len = 0;

  bool is_locked() const { return MutexTest(mutex); }
  T& operator[](int i) { return locked()[i]; }
  T* operator->() { return locked(); }
  T& operator*() { return *locked(); }
  operator T*() { return locked(); }

 private:
  T* locked() const {
    if (!is_locked())
      throw wherry::error(wherry::error_kind::state, "MEL::Shared", "this rank has not locked the array", mutex.rank);
    return ptr;
  }
};

namespace detail {

template <class T> void must_have(std::string_view where, const Shared<T>& shared, int first, int last) {
  must_be_a_mutex(where, shared.mutex);
  if (first < 0 || last >= shared.len || last < first - 1)
    refuse(where, wherry::detail::text("elements ", first, " to ", last, " are not inside the array of ", shared.len));
}

/// Moves elements between this rank's copy and the root's. On the root both are the same memory, and only the window is
/// synchronised.
template <class T, class Move>
void synchronise(std::string_view where, Shared<T>& shared, int first, int last, Move move) {
  const type_of<T> type(where, last - first + 1);
  const int root = shared.mutex.root;
  WinLockExclusive(shared.win, root);
  if (shared.mutex.rank != root)
    move(shared.ptr + first, last - first + 1, type, Aint{first}, last - first + 1, type, root, shared.win);
  WinUnlock(shared.win, root);
}

}  // namespace detail

/// Makes an array of `len` elements, all zero, which lies on `root`. Collective over `comm`.
template <class T> Shared<T> SharedCreate(int len, int rank, int size, int root, const Comm& comm) {
  constexpr std::string_view where = "MEL::SharedCreate";
  detail::must_not_be_negative(where, "the length", len);
  detail::must_be_in(where, rank, size, root, comm);
  Shared<T> shared;
  shared.len = len;
  shared.ptr = MemAlloc<T>(len);
  std::uninitialized_value_construct_n(shared.ptr, len);
  shared.mutex = MutexCreate(rank, size, root, comm);
  shared.win = WinCreate(shared.ptr, rank == root ? len : 0, comm);
  return shared;
}
template <class T> Shared<T> SharedCreate(int len, int root, const Comm& comm) {
  constexpr std::string_view where = "MEL::SharedCreate";
  const int rank = detail::answer<int>(where, MPI_Comm_rank, comm);
  return SharedCreate<T>(len, rank, detail::answer<int>(where, MPI_Comm_size, comm), root, comm);
}

/// Frees the array; no rank may hold the lock. Null is allowed. Collective.
template <class T> void SharedFree(Shared<T>& shared) {
  if (shared.ptr == nullptr) return;
  Barrier(shared.mutex.comm);
  WinFree(shared.win);
  MutexFree(shared.mutex);
  MemFree(shared.ptr);
  shared = Shared<T>();
}

/// True if this rank holds the lock. Local.
template <class T> bool SharedTest(const Shared<T>& shared) { return shared.is_locked(); }

/// Waits for the lock and leaves the copy as it is: for arrays, or elements `first` to `last`, that are only written.
/// There is one mutex for the whole array.
template <class T> void SharedLock_noget(Shared<T>& shared, int first, int last) {
  detail::must_have("MEL::SharedLock_noget", shared, first, last);
  MutexLock(shared.mutex);
}
template <class T> void SharedLock_noget(Shared<T>& shared) { SharedLock_noget(shared, 0, shared.len - 1); }

/// Waits for the lock and fetches elements `first` to `last`.
template <class T> void SharedLock(Shared<T>& shared, int first, int last) {
  constexpr std::string_view where = "MEL::SharedLock";
  detail::must_have(where, shared, first, last);
  MutexLock(shared.mutex);
  detail::synchronise(where, shared, first, last, Get);
}
template <class T> void SharedLock(Shared<T>& shared) { SharedLock(shared, 0, shared.len - 1); }

/// Releases the lock without writing changes back.
template <class T> void SharedUnlock_noput(Shared<T>& shared, int first, int last) {
  detail::must_have("MEL::SharedUnlock_noput", shared, first, last);
  MutexUnlock(shared.mutex);
}
template <class T> void SharedUnlock_noput(Shared<T>& shared) { SharedUnlock_noput(shared, 0, shared.len - 1); }

/// Writes elements `first` to `last` back and releases the lock. Does nothing if this rank does not hold it.
template <class T> void SharedUnlock(Shared<T>& shared, int first, int last) {
  constexpr std::string_view where = "MEL::SharedUnlock";
  detail::must_have(where, shared, first, last);
  if (!shared.is_locked()) return;
  detail::synchronise(
      where, shared, first, last,
      [](const void* ptr, int count, const Datatype& type, Aint at, int there, const Datatype& type_there, int rank,
         const Win& window) { Put(ptr, count, type, at, there, type_there, rank, window); });
  MutexUnlock(shared.mutex);
}
template <class T> void SharedUnlock(Shared<T>& shared) { SharedUnlock(shared, 0, shared.len - 1); }

}  // namespace MEL
