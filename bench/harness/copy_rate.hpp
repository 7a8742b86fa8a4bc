/// @file
/// How fast this machine copies memory when all ranks do: what memory-bound results are to be seen beside.
#pragma once

#include <mpi.h>

namespace bench {

/// Gigabytes a second that memcpy copies on each rank while all of them copy large buffers; the slowest rank's, the
/// median of several. Collective.
double copy_rate(MPI_Comm comm);

}  // namespace bench
