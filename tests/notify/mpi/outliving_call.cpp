// Rank 0 puts to rank 1, which makes no call of MPI's, and has no time to wait: the flush, in a thread of its own,
// outlives its segment ("gone") and is waited for, or is on its way still when MPI_Finalize begins, and its segment
// outlives that ("kept"), or when an mpi_session ends ("session"), or is waited for before ("prepared"). Nobody hangs,
// and the memory that was put from stays as long as it must.
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "wherry/wherry.hpp"

namespace {

using segment = wherry::segment<std::uint64_t>;

/// Whether it was done in time.
bool in_no_time(segment& to, std::string_view what) {
  constexpr double seconds = 1e-3;
  if (what == "flush") return to.flush(seconds);
  if (what == "notify") return to.notify(1, 3, 7, seconds);
  return to.fetch_add(1, 0, 1, seconds).has_value();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "flush", how = argc > 2 ? argv[2] : "gone";
  int level = MPI_THREAD_SINGLE, rank = 0;
  std::unique_ptr<wherry::mpi_session> session;
  if (how == "session")
    session = std::make_unique<wherry::mpi_session>(argc, argv);
  else
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::unique_ptr<segment> one;
  std::vector<std::uint64_t> data(50'000, 5);
  {
    const wherry::communicator comm(MPI_COMM_WORLD);
    one = std::make_unique<segment>(comm, data.size());
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    if (rank == 0) {
      one->write(1, 0, data);
      const bool done = in_no_time(*one, what);
      std::printf("rank 0: %s %s\n", std::string(what).c_str(), done ? "was done in time" : "was cut short");
    }
  }
  if (how == "gone") {
    one.reset();
    // Another one in its place, used before the old call is known to be over.
    segment next(wherry::communicator(MPI_COMM_WORLD), 8);
    next.notify(1 - rank, 0);
    next.wait(0);
  }
  // The call whose segment is gone may be on its way still.
  if (how == "prepared" || how == "gone") wherry::prepare_to_finalize();
  if (session)
    session.reset();
  else
    MPI_Finalize();
  one.reset();
  std::printf("rank %d: MPI has ended\n", rank);
  return 0;
}
