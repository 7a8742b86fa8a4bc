// Checks that the hot path makes no allocations, and no system calls if the peer is ready.
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>

#include "halo/options.hpp"
#include "halo/ours.hpp"
#include "harness/allocations.hpp"
#include "harness/json.hpp"

namespace bench::halo {
namespace {

constexpr int warm_up = 50, counted = 200;

std::uint64_t most_of_ranks(std::uint64_t mine) {
  std::uint64_t most = 0;
  MPI_Allreduce(&mine, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

/// A system call that strace shows and that does nothing.
void mark(const std::string& text) {
  if (::write(-1, text.data(), text.size()) != -1) std::abort();
}

/// Flags in shared memory, polled without system calls.
class flags {
 public:
  flags() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(rank == 0 ? 256 : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory_, &window_);
    MPI_Aint bytes = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory_);
    if (rank == 0) std::memset(memory_, 0, 256);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~flags() { MPI_Win_free(&window_); }
  flags(const flags&) = delete;
  flags& operator=(const flags&) = delete;

  void set(int which, int value) { at(which).store(value, std::memory_order_release); }
  void await(int which, int value) {
    while (at(which).load(std::memory_order_acquire) < value) {
    }
  }

 private:
  std::atomic_ref<int> at(int which) { return std::atomic_ref<int>(*reinterpret_cast<int*>(memory_ + 128 * which)); }
  MPI_Win window_ = MPI_WIN_NULL;
  char* memory_ = nullptr;
};

/// Rank 0 starts and waits between two marks, after rank 1 has started and before it waits. Works with two ranks, and
/// only with transports that need no help of the peer.
void between_marks(wherry::halo_exchange& exchange, const std::string& name, int rank, flags& turn) {
  for (int i = 1; i <= counted; ++i) {
    if (rank == 0) {
      turn.await(0, i);
      mark("wherry begin " + name);
      exchange.start();
      exchange.wait();
      mark("wherry end " + name);
      turn.set(1, i);
    } else {
      exchange.start();
      turn.set(0, i);
      turn.await(1, i);
      exchange.wait();
    }
  }
}

}  // namespace

void run_quiet(const options& given) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const problem p = make_problem(MPI_COMM_WORLD, {}, given.sizes.front(), grid_for(given.splits.front(), ranks));
  const auto grid = grid_of(p);
  our_fields fields_of_ours(grid, p, true);
  for (const auto& name : transports(given.transports)) {
    std::unique_ptr<wherry::halo_exchange> bound;
    try {
      bound = bind_exchange(grid, fields_of_ours.halos, name);
    } catch (const wherry::error&) {
      continue;
    }
    for (int i = 0; i < warm_up; ++i) (*bound)();
    MPI_Barrier(p.comm);
    const auto before = allocations();
    for (int i = 0; i < counted; ++i) (*bound)();
    const auto after = allocations();
    record("allocations")
        .add("method", name)
        .add("n", p.n)
        .add("ranks", ranks)
        .add("exchanges", counted)
        .add("operator_new", most_of_ranks(after.operator_new - before.operator_new))
        .add("malloc", most_of_ranks(after.malloc - before.malloc))
        .write(given.out);
  }
}

void run_marked(const options& given) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) return;
  const problem p = make_problem(MPI_COMM_WORLD, {}, given.sizes.front(), grid_for(given.splits.front(), ranks));
  const auto grid = grid_of(p);
  our_fields fields_of_ours(grid, p, true);
  flags turn;
  auto bound = bind_exchange(grid, fields_of_ours.halos, "shared");
  for (int i = 0; i < warm_up; ++i) (*bound)();
  between_marks(*bound, "shared", p.rank, turn);
  record("marked").add("method", "shared").add("exchanges", counted).add("n", p.n).write(given.out);
}

}  // namespace bench::halo
