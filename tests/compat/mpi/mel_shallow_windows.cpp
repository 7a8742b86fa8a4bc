// MEL's windows, mutexes and shared arrays: what is in the memory is what the same calls of MPI would leave there. At
// one rank Open MPI 4.1 makes no window; MEL's works all the same.
#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "compat/mpi/mel_shallow.hpp"

using namespace mel_tests;
using MEL::Datatype;
using MEL::Win;

namespace {

constexpr int words = 12;

}  // namespace

WHERRY_TEST(mel_one_sided, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  const int right = (test.rank + 1) % test.size, left = (test.rank + test.size - 1) % test.size;
  const Datatype type = Datatype::INT, every_other = MEL::TypeCreateVector(type, 2, 1, 2);

  const auto theirs = own_numbers(left, words);
  std::vector<int> memory(words), mine = own_numbers(test.rank, words), got(words, -1);
  Win window = MEL::WinCreate(memory.data(), words, comm);
  Win in_bytes = MEL::WinCreate(static_cast<void*>(memory.data()), words * 4, 1, comm);
  // `call` once in each kind of epoch, with a window full of -1.
  const auto in_epochs = [&](const char* name, std::vector<int> expected, auto call) {
    const std::vector<std::function<void()>> epochs = {
        [&] {
          MEL::WinFence(window);
          call(window);
          MEL::WinFence(window, 0);
        },
        [&] {
          MEL::WinLock(window, right, MEL::LockType::EXCLUSIVE);
          call(window);
          MEL::WinUnlock(window, right);
        },
        [&] {
          MEL::WinLock(window, right, 0, MEL::LockType::SHARED);
          call(window);
          MEL::WinUnlock(window, right);
        },
        [&] {
          MEL::WinLockExclusive(window, right);
          call(window);
          MEL::WinFlush(window, right);
          MEL::WinUnlock(window, right);
        },
        [&] {
          MEL::WinLockExclusive(window, right, 0);
          call(window);
          MEL::WinFlushLocal(window, right);
          MEL::WinUnlock(window, right);
        },
        [&] {
          MEL::WinLockShared(window, right);
          call(window);
          MEL::WinUnlock(window, right);
        },
        [&] {
          MEL::WinLockShared(window, right, 0);
          call(window);
          MEL::WinUnlock(window, right);
        },
        [&] {
          MEL::WinLockAll(window);
          call(window);
          MEL::WinFlushAll(window);
          MEL::WinSync(window);
          MEL::WinUnlockAll(window);
        },
        [&] {
          MEL::WinLockAll(window, 0);
          call(window);
          MEL::WinFlushLocalAll(window);
          MEL::WinUnlockAll(window);
        },
    };
    for (const auto& epoch : epochs) {
      memory.assign(words, -1);
      MEL::Barrier(comm);
      epoch();
      MEL::Barrier(comm);
      MEL::WinLockShared(window, test.rank);  // what others have put is seen after a lock
      MEL::WinUnlock(window, test.rank);
      compare(name, as_numbers(memory), as_numbers(expected));
      MEL::Barrier(comm);
    }
  };
  // Numbers of the left neighbour's, from 0 on, at these places; elsewhere -1.
  const auto at = [&](std::initializer_list<int> places) {
    std::vector<int> all(words, -1);
    std::size_t next = 0;
    for (int place : places) all[static_cast<std::size_t>(place)] = theirs[next++];
    return all;
  };
  in_epochs("Put", at({3, 4}), [&](const Win& w) { MEL::Put(mine.data(), 2, type, 3, 2, type, right, w); });
  in_epochs("Put of another shape", at({5, 7}),
            [&](const Win& w) { MEL::Put(mine.data(), 2, type, 5, 1, every_other, right, w); });
  std::vector<int> sum = at({2, 3, 4});
  for (std::size_t i : {2, 3, 4}) sum[i] -= 1;
  in_epochs("Accumulate", sum,
            [&](const Win& w) { MEL::Accumulate(mine.data(), 3, type, 2, 3, type, MEL::Op::SUM, right, w); });
  std::vector<int> strided = at({1, 3});
  in_epochs("Accumulate of another shape", strided,
            [&](const Win& w) { MEL::Accumulate(mine.data(), 2, type, 1, 1, every_other, MEL::Op::MAX, right, w); });
  in_epochs("Accumulate REPLACE", at({2, 3, 4}),
            [&](const Win& w) { MEL::Accumulate(mine.data(), 3, type, 2, 3, type, MEL::Op::REPLACE, right, w); });
  // With requests, which want a lock.
  const auto with_requests = [&](const char* name, std::vector<int> expected, auto call) {
    memory.assign(words, -1);
    MEL::Barrier(comm);
    MEL::WinLockAll(window);
    call();
    MEL::WinUnlockAll(window);
    MEL::Barrier(comm);
    MEL::WinLockShared(window, test.rank);
    MEL::WinUnlock(window, test.rank);
    compare(name, as_numbers(memory), as_numbers(expected));
    MEL::Barrier(comm);
  };
  with_requests("Rput", at({3, 4, 9, 10, 11}), [&] {
    MEL::Request first = MEL::Rput(mine.data(), 2, type, 3, 2, type, right, window), second;
    MEL::Rput(mine.data() + 2, 3, type, 9, 3, type, right, window, second);
    MEL::Wait(first);
    MEL::Wait(second);
  });
  // Reading.
  memory = mine;
  MEL::Barrier(comm);
  MEL::WinLockAll(window);
  MEL::Get(got.data() + 1, 2, type, 3, 1, every_other, right, window);
  MEL::Request first = MEL::Rget(got.data() + 4, 3, type, 7, 3, type, right, window), second;
  MEL::Rget(got.data() + 9, 1, type, 2, 1, type, right, window, second);
  MEL::Wait(first);
  MEL::Wait(second);
  MEL::WinUnlockAll(window);
  const auto of_right = own_numbers(right, words);
  compare("Get, Rget", as_numbers(got),
          {-1, of_right[3], of_right[5], -1, of_right[7], of_right[8], of_right[9], -1, -1, of_right[2], -1, -1});
  MEL::Barrier(comm);
  // Displacements of bytes.
  MEL::WinLockExclusive(in_bytes, right);
  MEL::Put(mine.data(), 1, type, 8, 1, type, right, in_bytes);
  MEL::WinUnlock(in_bytes, right);
  MEL::Barrier(comm);
  MEL::WinLockShared(in_bytes, test.rank);
  MEL::WinUnlock(in_bytes, test.rank);
  CHECK(memory[2] == theirs[0] && memory[3] == mine[3]);
  // Several at once; null ones are nothing.
  Win none;
  std::vector<Win> more{in_bytes, Win()};
  MEL::WinFree(none, window, more);
  CHECK(window == Win::WIN_NULL && std::ranges::all_of(more, [](const Win& w) { return w == Win(); }));
  Datatype made = every_other;
  MEL::TypeFree(made);
}

WHERRY_TEST(mel_windows_of_mpi, ranks(2, 4)) {
  std::array<int, 2> memory{};
  const MPI_Win plain = [&] {
    MPI_Win made = MPI_WIN_NULL;
    MPI_Win_create(memory.data(), 8, 4, MPI_INFO_NULL, test.comm, &made);
    return made;
  }();
  Win window(plain);
  CHECK(MPI_Win(window) == plain && window == plain && window != Win::WIN_NULL);
  const int seven = 7;
  MPI_Win_fence(0, plain);
  if (test.rank == 0) MEL::Put(&seven, 1, test.size - 1, 1, window);
  MEL::WinFence(window);
  CHECK_EQUAL(memory[1], test.rank == test.size - 1 ? 7 : 0);
  MEL::WinFree(window);
}

WHERRY_TEST(mel_mutexes, ranks(1, 2, 4)) {
  const MEL::Comm comm(test.comm);
  for (const int root : {0, test.size - 1}) {
    MEL::Mutex mutex = root == 0 ? MEL::MutexCreate(root, comm) : MEL::MutexCreate(test.rank, test.size, root, comm);
    CHECK(!MEL::MutexTest(mutex) && mutex.root == root);
    // A number that is read and written in two calls: without a mutex, ranks lose each other's.
    long long number = 0;
    Win window = MEL::WinCreate(&number, test.rank == 0 ? 1 : 0, comm);
    for (int i = 0; i < 50; ++i) {
      MEL::MutexLock(mutex);
      CHECK(MEL::MutexTest(mutex));
      if (i == 7) MEL::MutexLock(mutex);  // nothing
      long long seen = 0;
      MEL::WinLockExclusive(window, 0);
      MEL::Get(&seen, 1, Datatype::LONG_LONG, 0, 1, Datatype::LONG_LONG, 0, window);
      MEL::WinUnlock(window, 0);
      ++seen;
      MEL::WinLockExclusive(window, 0);
      MEL::Put(&seen, 1, Datatype::LONG_LONG, 0, 1, Datatype::LONG_LONG, 0, window);
      MEL::WinUnlock(window, 0);
      MEL::MutexUnlock(mutex);
      CHECK(!MEL::MutexTest(mutex));
    }
    MEL::MutexUnlock(mutex);  // nothing
    MEL::Barrier(comm);
    MEL::WinLockShared(window, 0);
    MEL::WinUnlock(window, 0);
    if (test.rank == 0) CHECK_EQUAL(number, 50 * test.size);
    MEL::WinFree(window);
    MEL::MutexFree(mutex);
    MEL::MutexFree(mutex);
  }
  // Rank before size, then the root.
  CHECK_THROWS_WITH(MEL::MutexCreate(test.size, test.rank, 0, comm), "this is rank");
  CHECK_THROWS_WITH(MEL::MutexCreate(test.size, comm), "'root' is");
  MEL::Mutex null;
  CHECK_THROWS_WITH(MEL::MutexLock(null), "'mutex' is null");
}

WHERRY_TEST(mel_shared_arrays, ranks(1, 2, 4)) {
  struct Cell {
    int number;
    double sum;
  };
  const MEL::Comm comm(test.comm);
  for (const int root : {0, test.size - 1}) {
    auto cells = root == 0 ? MEL::SharedCreate<Cell>(5, root, comm)
                           : MEL::SharedCreate<Cell>(5, test.rank, test.size, root, comm);
    CHECK(!cells.is_locked() && !MEL::SharedTest(cells) && cells.len == 5);
    CHECK_THROWS_WITH(cells[0], "has not locked");
    for (int i = 0; i < 20; ++i) {
      MEL::SharedLock(cells);
      CHECK(cells.is_locked() && MEL::SharedTest(cells));
      cells[4].number += 1;
      cells->sum += test.rank;
      (*cells).number += 2;
      static_cast<Cell*>(cells)[3].number += i;
      MEL::SharedUnlock(cells);
      MEL::SharedLock(cells, 1, 2);  // a part
      cells[2].number += 10;
      cells[3].number = -7;  // stays here
      MEL::SharedUnlock(cells, 1, 2);
    }
    MEL::Barrier(comm);
    const int n = test.size;
    MEL::SharedLock(cells);
    CHECK(cells[4].number == 20 * n && cells[0].number == 40 * n && cells[2].number == 200 * n && cells[1].number == 0);
    CHECK(cells[0].sum == 10.0 * n * (n - 1));
    MEL::SharedUnlock_noput(cells);
    MEL::Barrier(comm);
    // Written without reading, and read without writing.
    if (test.rank == n - 1) {
      MEL::SharedLock_noget(cells);
      cells[1].number = 77;
      MEL::SharedUnlock(cells, 1, 1);
      MEL::SharedLock_noget(cells, 0, 1);
      MEL::SharedUnlock_noput(cells, 0, 1);
    }
    MEL::Barrier(comm);
    MEL::SharedLock(cells, 0, 1);
    CHECK_EQUAL(cells[1].number, 77);
    if (test.rank != root) cells[1].number = 5;  // stays here
    MEL::SharedUnlock_noput(cells);
    MEL::Barrier(comm);
    MEL::SharedLock(cells);
    CHECK_EQUAL(cells[1].number, 77);
    CHECK_THROWS_WITH(MEL::SharedUnlock(cells, 2, 5), "elements 2 to 5 are not inside the array of 5");
    MEL::SharedUnlock(cells);
    MEL::SharedFree(cells);
    CHECK(cells.ptr == nullptr);
    MEL::SharedFree(cells);
  }
  CHECK_THROWS_WITH(MEL::SharedCreate<int>(3, test.size, test.rank, 0, comm), "this is rank");
}
