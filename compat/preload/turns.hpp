// Whose turn it is. So that the report can say what was gained, a few of the program's calls are left to MPI itself, on
// all ranks alike, and a few of each are timed.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

namespace wherry::preload {

enum class turn : std::uint8_t { ours, ours_timed, mpi, mpi_timed };
constexpr bool is_mpis(turn whose) { return whose == turn::mpi || whose == turn::mpi_timed; }
constexpr bool is_timed(turn whose) { return whose == turn::ours_timed || whose == turn::mpi_timed; }

/// Calls of one kind on one communicator are compared in stretches, from number 128 · 4ᵏ on: so many by MPI, then so
/// many by us, the first few of each not timed, for they find cold caches. Of n calls MPI thus gets about
/// 16 log₄(n / 128), which costs little in the long run, even where it is a thousand times slower.
inline constexpr std::uint64_t first_stretch = 128, calls_by_each = 16, not_timed = 4;

/// Of calls numbered from 0.
class turns {
 public:
  bool by_mpi_anyway = false;

  turn next() {
    const std::uint64_t number = calls_++;
    if (number < stretch_) return turn::ours;
    const std::uint64_t place = number - stretch_;
    if (place + 1 == 2 * calls_by_each) stretch_ *= 4;
    if (place < not_timed) return turn::mpi;
    if (place < calls_by_each) return turn::mpi_timed;
    return place < calls_by_each + not_timed ? turn::ours : turn::ours_timed;
  }

 private:
  std::uint64_t calls_ = 0, stretch_ = first_stretch;
};

/// The next one's. By the number of the call alone: all ranks of the communicator count alike, whatever the time and
/// whatever they know of sizes.
turn next_turn(collective::kind what, MPI_Comm comm);

/// Whether we gave the last such call there to MPI, as we do where a rank is alone: then there is nothing to compare.
void remember_who_did(collective::kind what, MPI_Comm comm, bool mpi);
bool mpi_does_it_anyway(collective::kind what, MPI_Comm comm);

/// Whether it may be left to MPI, on all ranks alike: with WHERRY_PRELOAD_COMPARE=1 what has the same bits whoever does
/// it, with all also sums of floating-point numbers on more than two ranks.
bool may_be_mpis(const collective::call& what);

}  // namespace wherry::preload
