/// @file
/// The transport `gpi2`: schedules as notified writes of GASPI 17.1, which GPI-2 implements for InfiniBand and other
/// networks. A library of its own, `Wherry::gpi2`, which there is where CMake has found GPI-2; see docs/gpi2.md.
#pragma once

namespace wherry {

/// Adds the transport `gpi2` on all ranks. Collective over MPI_COMM_WORLD, while nothing is under way; again: nothing.
///
/// GASPI is started by this where the program has not called gaspi_proc_init, which must then be so on all ranks, and
/// ended when MPI_Finalize begins. A program that starts GASPI itself ends it itself, when its exchanges over `gpi2`
/// are gone.
/// @throws error(state, mismatch) on all ranks where GASPI does not start, some ranks alone have started it, there are
/// more than its ranks of 16 bits can tell apart, or its ranks are not those of MPI_COMM_WORLD
void use_gpi2();

}  // namespace wherry
