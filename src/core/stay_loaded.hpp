// Shared libraries that MPI still calls after the program has unloaded them.
#pragma once

namespace wherry {

/// Prevents the unloading of the program or shared library into which this code is linked. Call it before MPI, or the
/// C++ runtime, gets the address of one of our functions: MPI_Finalize calls the functions of attributes, and a program
/// may unload a plug-in that contains Wherry before it calls MPI_Finalize.
void stay_loaded();

}  // namespace wherry
