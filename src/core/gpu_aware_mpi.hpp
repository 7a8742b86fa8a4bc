// Finds out if MPI accepts pointers to device memory.
#pragma once

#include <string>
#include <string_view>

namespace wherry {

struct gpu_awareness {
  bool reaches = false;
  std::string because;  ///< the source of the answer, or the reason against it
};

/// Local. The answer of WHERRY_GPU_AWARE_MPI for devices of this kind ("cuda", "hip", …), or else that of MPI itself.
/// Without a positive answer no such pointer may be passed, because most MPIs then end the program.
gpu_awareness gpu_aware_mpi(std::string_view device);

}  // namespace wherry
