/// @file
/// Arrays that ranks share: one rank has the array in a window, each rank has a copy, and a mutex gives ranks their
/// turn. Locking brings the array, or a part of it, here; unlocking brings it back.
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

/// Plain data. It may be looked at and changed while this rank has it locked. @throws wherry::error at other times
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
    refuse(where, wherry::detail::text("there are no elements ", first, " to ", last, " of ", shared.len));
}

/// Elements between this rank's copy and the root's. On the root they are the same; its window makes them one.
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

/// `len` elements, all zero; `root` has the array. Collective.
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

/// Collective. Nobody may have it locked. Null is allowed.
template <class T> void SharedFree(Shared<T>& shared) {
  if (shared.ptr == nullptr) return;
  Barrier(shared.mutex.comm);
  WinFree(shared.win);
  MutexFree(shared.mutex);
  MemFree(shared.ptr);
  shared = Shared<T>();
}

/// Whether this rank has it.
template <class T> bool SharedTest(const Shared<T>& shared) { return shared.is_locked(); }

/// Waits until this rank has the array. The copy stays as it is: for arrays, or elements `first` to `last`, that are
/// only written. The mutex is one for the whole array.
template <class T> void SharedLock_noget(Shared<T>& shared, int first, int last) {
  detail::must_have("MEL::SharedLock_noget", shared, first, last);
  MutexLock(shared.mutex);
}
template <class T> void SharedLock_noget(Shared<T>& shared) { SharedLock_noget(shared, 0, shared.len - 1); }

/// The same, and brings elements `first` to `last` here.
template <class T> void SharedLock(Shared<T>& shared, int first, int last) {
  constexpr std::string_view where = "MEL::SharedLock";
  detail::must_have(where, shared, first, last);
  MutexLock(shared.mutex);
  detail::synchronise(where, shared, first, last, Get);
}
template <class T> void SharedLock(Shared<T>& shared) { SharedLock(shared, 0, shared.len - 1); }

/// Lets others have the array. What was changed here is not brought back.
template <class T> void SharedUnlock_noput(Shared<T>& shared, int first, int last) {
  detail::must_have("MEL::SharedUnlock_noput", shared, first, last);
  MutexUnlock(shared.mutex);
}
template <class T> void SharedUnlock_noput(Shared<T>& shared) { SharedUnlock_noput(shared, 0, shared.len - 1); }

/// The same, and brings elements `first` to `last` back before. Nothing happens where this rank has it not.
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
