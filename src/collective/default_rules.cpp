#include "default_rules.hpp"

#include <cstdint>

#include "implementations.hpp"

namespace wherry::collective {
namespace {

// The limit for alltoalls by `shared`, in bytes of all blocks of a rank. Among more than two ranks with a core each,
// Open MPI reads directly from the other process, and above this limit the data that ranks write for each other no
// longer stays in their caches. 8 of 16 cores of a Xeon: with blocks of 32 KiB `shared` takes 0.91 of Open MPI's time,
// with 256 KiB 1.6 to 2.3; 16 ranks: with 4 KiB 0.4, with 32 KiB 1.3 to 1.6.
constexpr std::int64_t most_sent_twice = 256 << 10;
#if defined(OPEN_MPI)
constexpr bool mpi_copies_once = true;  // with its default installation
#else
constexpr bool mpi_copies_once = false;  // not measured
#endif

}  // namespace

void add_default_rules(choices& to, kind what, bool shares, int ranks, bool crowded) {
  to.add(what, {chooser::defaults, shares ? implementation_named("shared") : mpi_itself});
  if (shares && what == kind::alltoall && mpi_copies_once && ranks > 2 && !crowded)
    to.add(what, {chooser::defaults, mpi_itself, most_sent_twice / ranks + 1});
}

}  // namespace wherry::collective
