// Macros for code that both the device's compiler and the host's compiler read.
#pragma once

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>  // CUDA's compiler needs no header for them
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define WHERRY_ON_BOTH __host__ __device__
#define WHERRY_NOT_UNROLLED _Pragma("unroll 1")  // unrolling the next loop would only cost registers
#else
#define WHERRY_ON_BOTH
#define WHERRY_NOT_UNROLLED
#endif
