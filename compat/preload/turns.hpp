// Whose turn a call is. A few of the program's calls are left to MPI itself, on all ranks alike, and a few calls of
// each side are timed, so that the report can say what was gained.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

namespace wherry::preload {

enum class turn : std::uint8_t { ours, ours_timed, mpi, mpi_timed };
constexpr bool is_mpis(turn whose) { return whose == turn::mpi || whose == turn::mpi_timed; }
constexpr bool is_timed(turn whose) { return whose == turn::ours_timed || whose == turn::mpi_timed; }

/// Calls of one kind on one communicator are compared in stretches that begin at number 128 · 4ᵏ. In each stretch MPI
/// carries out `calls_by_each` calls, and then Wherry as many; the first `not_timed` of each are not timed, because
/// they find cold caches. Of n calls MPI thus gets about 16 log₄(n / 128), which costs little in the long run, even
/// where MPI is a thousand times slower.
inline constexpr std::uint64_t first_stretch = 128, calls_by_each = 16, not_timed = 4;

/// The turns of calls that are numbered from 0.
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

/// The turn of the next call. It depends on the number of the call alone, so that all ranks of the communicator agree,
/// whatever the time and the sizes that they know.
turn next_turn(collective::kind what, MPI_Comm comm);

/// Remembers whether Wherry left the last such call on this communicator to MPI, as it does on a single rank. Then
/// there is nothing to compare.
void remember_who_did(collective::kind what, MPI_Comm comm, bool mpi);
bool mpi_does_it_anyway(collective::kind what, MPI_Comm comm);

/// True if this call may be left to MPI; the same on all ranks. With WHERRY_PRELOAD_COMPARE=1 these are the calls whose
/// result has the same bits either way; with `all` also sums of floating-point numbers on more than two ranks.
bool may_be_mpis(const collective::call& what);

}  // namespace wherry::preload
