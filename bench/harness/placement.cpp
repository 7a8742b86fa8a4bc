#include "harness/placement.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "harness/ratios.hpp"
#include "harness/timing.hpp"
#include "harness/waiting.hpp"

namespace bench {
namespace {

constexpr int line = 128;  // two cache lines, because the prefetcher fetches pairs
constexpr int batches = 15, trips = 400;

void await(char* flag, int value) {
  const std::atomic_ref<int> seen(*reinterpret_cast<int*>(flag));
  for (int polls = 0; seen.load(std::memory_order_acquire) != value; ++polls)
    if (polls > 20000) sched_yield();  // more ranks than cores
}

void set(char* flag, int value) {
  std::atomic_ref<int>(*reinterpret_cast<int*>(flag)).store(value, std::memory_order_release);
}

/// A barrier in which waiting ranks sleep, so that they leave the cores to the measuring ranks.
void sleepy_barrier(MPI_Comm comm) {
  MPI_Request request;
  MPI_Ibarrier(comm, &request);
  await_request(request, [] { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
}

}  // namespace

placement_probe::placement_probe(MPI_Comm comm) : comm_(comm) {
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_);
  int rank = 0;
  MPI_Comm_rank(node_, &rank);
  MPI_Win_allocate_shared(rank == 0 ? 2 * line : 0, 1, MPI_INFO_NULL, node_, &memory_, &window_);
  MPI_Aint bytes = 0;
  int unit = 0;
  MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory_);
  if (rank == 0) std::memset(memory_, 0, 2 * line);
  MPI_Barrier(comm);
}

placement_probe::~placement_probe() {
  MPI_Win_free(&window_);
  MPI_Comm_free(&node_);
}

double placement_probe::handshake_us() {
  int rank = 0, size = 0;
  MPI_Comm_rank(node_, &rank);
  MPI_Comm_size(node_, &size);
  MPI_Barrier(comm_);
  double result = 0;
  if (size > 1 && rank < 2) {
    std::vector<double> times;
    char* const mine = memory_ + rank * line;
    char* const others = memory_ + (1 - rank) * line;
    for (int b = 0; b < batches; ++b) {
      const double began = now_us();
      for (int t = 0; t < trips; ++t) {
        ++turn_;
        if (rank == 0) set(mine, turn_);
        await(others, turn_);
        if (rank == 1) set(mine, turn_);
      }
      times.push_back((now_us() - began) / (2 * trips));
    }
    // Disturbances only ever add time, and with more ranks than cores most batches are disturbed, so the least counts.
    const bool crowded = exceed_cores(size);
    result = quantile(times, crowded ? 0 : 0.25);
  }
  sleepy_barrier(comm_);
  MPI_Bcast(&result, 1, MPI_DOUBLE, 0, comm_);
  return result;
}

bool placement_moved(double before_us, double after_us) {
  return std::max(before_us, after_us) > 1.6 * std::min(before_us, after_us) + 0.02;
}

}  // namespace bench
