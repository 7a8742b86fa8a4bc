// Whether MPI takes pointers to the memory of a device.
#pragma once

#include <string>
#include <string_view>

namespace wherry {

struct gpu_awareness {
  bool reaches = false;
  std::string because;  ///< who says so, or why not
};

/// Local. What WHERRY_GPU_AWARE_MPI says of devices of this kind ("cuda", "hip", …), or else MPI itself. Nobody who has
/// not been told passes such a pointer: most MPIs end the program then.
gpu_awareness gpu_aware_mpi(std::string_view device);

}  // namespace wherry
