/// @file
/// A mutex for the ranks of a communicator: a queue in a window, with its end on the root. A rank that locks the mutex
/// appends itself to the queue and waits for a message from the rank before it; a rank that unlocks it sends that
/// message. So ranks get the mutex in the order in which they have come, and no rank polls memory while another one
/// holds it. The messages are on a communicator of the mutex's own. As in MPI, a lock waits for ever if a rank keeps
/// the mutex.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string_view>

#include "mel/comm.hpp"
#include "mel/datatype.hpp"
#include "mel/operation.hpp"
#include "mel/window.hpp"

namespace MEL {

/// A handle of a mutex. It may be copied, but only one of the copies may be used.
struct Mutex {
  bool locked = false;  ///< true if this rank holds the mutex
  int rank = 0, size = 0, root = 0;
  Comm comm;
  Win win;  ///< null for one rank
};

namespace detail {

// The words of a rank's part of the window: the last rank in the queue, used on the root only, and the next rank after
// this one.
enum mutex_word : Aint { last_in_queue, next_in_queue };
inline constexpr int nobody = -1;

/// Reads a word of `rank` and applies `op` to it, atomically.
inline int fetch(std::string_view where, const Mutex& mutex, int rank, mutex_word word, int value, const Op& op) {
  int old = nobody;
  call(where, MPI_Fetch_and_op, &value, &old, MPI_INT, rank, Aint{word}, op, mutex.win);
  call(where, MPI_Win_flush, rank, mutex.win);
  return old;
}
inline void must_be_a_mutex(std::string_view where, const Mutex& mutex) {
  if (mutex.comm == Comm()) refuse(where, "'mutex' is null");
}
inline void must_be_in(std::string_view where, int rank, int size, int root, const Comm& comm) {
  const int true_rank = answer<int>(where, MPI_Comm_rank, comm), true_size = answer<int>(where, MPI_Comm_size, comm);
  if (rank != true_rank || size != true_size)
    refuse(where, wherry::detail::text("'rank' and 'size' are ", rank, " and ", size, ", but this is rank ", true_rank,
                                       " of ", true_size));
  if (root < 0 || root >= size)
    refuse(where, wherry::detail::text("'root' is ", root, ", expected a rank from 0 to ", size - 1));
}

}  // namespace detail

/// Makes a mutex. Collective over `comm`.
/// @param rank the rank of this process
/// @param size the size of `comm`
/// @param root the rank that keeps the queue
/// @throws wherry::error for a wrong rank, size or root
inline Mutex MutexCreate(int rank, int size, int root, const Comm& comm) {
  constexpr std::string_view where = "MEL::MutexCreate";
  detail::must_be_in(where, rank, size, root, comm);
  Mutex mutex{false, rank, size, root, CommDuplicate(comm), Win()};
  wherry::check_mpi(MPI_Comm_set_errhandler(mutex.comm, MPI_ERRORS_RETURN), where);
  if (size == 1) return mutex;
  int* words = nullptr;
  MPI_Win made = MPI_WIN_NULL;
  detail::call(where, MPI_Win_allocate, Aint{2 * sizeof(int)}, static_cast<int>(sizeof(int)), MPI_INFO_NULL, mutex.comm,
               static_cast<void*>(&words), &made);
  MPI_Win_set_errhandler(made, MPI_ERRORS_RETURN);
  mutex.win = Win(made);
  WinLockAll(mutex.win);
  words[detail::last_in_queue] = words[detail::next_in_queue] = detail::nobody;
  WinSync(mutex.win);
  Barrier(mutex.comm);
  return mutex;
}
inline Mutex MutexCreate(int root, const Comm& comm) {
  constexpr std::string_view where = "MEL::MutexCreate";
  const int rank = detail::answer<int>(where, MPI_Comm_rank, comm);
  return MutexCreate(rank, detail::answer<int>(where, MPI_Comm_size, comm), root, comm);
}

/// Frees a mutex, which no rank may hold. Null is allowed. Collective.
inline void MutexFree(Mutex& mutex) {
  if (mutex.comm == Comm()) return;
  Barrier(mutex.comm);
  if (mutex.win != Win()) WinUnlockAll(mutex.win);
  WinFree(mutex.win);
  CommFree(mutex.comm);
  mutex = Mutex();
}

/// True if this rank holds the mutex. Local.
inline bool MutexTest(const Mutex& mutex) { return mutex.locked; }

/// Waits until this rank holds the mutex. Does nothing if it holds it already.
inline void MutexLock(Mutex& mutex) {
  constexpr std::string_view where = "MEL::MutexLock";
  detail::must_be_a_mutex(where, mutex);
  if (mutex.locked) return;
  if (mutex.size > 1) {
    using namespace detail;
    fetch(where, mutex, mutex.rank, next_in_queue, nobody, Op::REPLACE);
    const int before = fetch(where, mutex, mutex.root, last_in_queue, mutex.rank, Op::REPLACE);
    if (before != nobody) {
      fetch(where, mutex, before, next_in_queue, mutex.rank, Op::REPLACE);
      call(where, MPI_Recv, nullptr, 0, MPI_BYTE, before, 0, mutex.comm, MPI_STATUS_IGNORE);
    }
  }
  mutex.locked = true;
}

/// Releases the mutex. Does nothing if this rank does not hold it.
inline void MutexUnlock(Mutex& mutex) {
  constexpr std::string_view where = "MEL::MutexUnlock";
  detail::must_be_a_mutex(where, mutex);
  if (!mutex.locked) return;
  mutex.locked = false;
  if (mutex.size == 1) return;
  using namespace detail;
  int last = mutex.rank;
  call(where, MPI_Compare_and_swap, &nobody, &mutex.rank, &last, MPI_INT, mutex.root, Aint{last_in_queue}, mutex.win);
  call(where, MPI_Win_flush, mutex.root, mutex.win);
  if (last == mutex.rank) return;
  int next = nobody;  // a rank has appended itself, and is about to write its number here
  while (next == nobody) next = fetch(where, mutex, mutex.rank, next_in_queue, nobody, Op::NO_OP);
  call(where, MPI_Send, nullptr, 0, MPI_BYTE, next, 0, mutex.comm);
}

}  // namespace MEL
