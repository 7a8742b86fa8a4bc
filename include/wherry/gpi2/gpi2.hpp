/// @file
/// The transport `gpi2`, which carries schedules as notified writes of GPI-2, an implementation of GASPI 17.1 for
/// InfiniBand and other networks. Link the library `Wherry::gpi2`, which exists if CMake has found GPI-2. See
/// docs/gpi2.md.
#pragma once

namespace wherry {

/// Adds the transport `gpi2` on all ranks. Collective over MPI_COMM_WORLD, at a time when nothing is in flight. Further
/// calls do nothing.
///
/// If no rank has called gaspi_proc_init, this function starts GASPI and ends it when MPI_Finalize begins. A program
/// that has started GASPI itself must end it itself, after its exchanges over `gpi2` are destroyed.
/// @throws error(state) or error(mismatch) on all ranks if GASPI does not start, if only some ranks have started it, if
///         there are more ranks than its 16-bit rank numbers allow, or if its ranks are not those of MPI_COMM_WORLD
void use_gpi2();

}  // namespace wherry
