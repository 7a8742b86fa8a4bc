/// @file
/// Measures the speed at which all ranks of this machine together copy memory, for comparison with memory-bound
/// results.
#pragma once

#include <mpi.h>

namespace bench {

/// Returns the gigabytes a second that memcpy copies on each rank while all ranks copy large buffers: the figure of the
/// slowest rank, the median of several measurements. Collective.
double copy_rate(MPI_Comm comm);

}  // namespace bench
