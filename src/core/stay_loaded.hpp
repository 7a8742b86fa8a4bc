// Shared libraries that MPI still calls after the program has let go of them.
#pragma once

namespace wherry {

/// The program or shared library that this code is linked into is never unloaded from now on. To be called before MPI,
/// or the C++ runtime, is given the address of a function of ours: MPI_Finalize calls functions that belong to
/// attributes, and a program may unload a plug-in that has Wherry inside before it calls MPI_Finalize.
void stay_loaded();

}  // namespace wherry
