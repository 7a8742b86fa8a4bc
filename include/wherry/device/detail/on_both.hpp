// The names in which the compilers of devices differ from the host's.
#pragma once

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>  // CUDA's compiler needs no header for them
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define WHERRY_ON_BOTH __host__ __device__
#define WHERRY_NOT_UNROLLED _Pragma("unroll 1")  // the loop that follows would take registers for nothing
#else
#define WHERRY_ON_BOTH
#define WHERRY_NOT_UNROLLED
#endif
