// The names of CUDA or HIP, so that cuda_device.cu can be compiled for either. GPU(Malloc) is cudaMalloc or hipMalloc,
// and GPU_CALL(Malloc) is its name for error texts. Names that differ by more than the prefix are defined below. HIP is
// untested.
#pragma once

#if defined(__HIPCC__)
#include <hip/hip_runtime.h>

#define GPU(name) hip##name
#define GPU_CALL(name) "hip" #name
#define GPU_DEVICE hip_device
#define GPU_CONSTANT

namespace wherry::gpu {
inline constexpr const char* name = "hip";
inline constexpr const char* driver = "libamdhip64.so";
inline constexpr const char* meaning = "memory and streams of a HIP device";
using pointer_attributes = hipPointerAttribute_t;
inline constexpr unsigned pinned_flags = hipHostMallocPortable | hipHostMallocMapped;
inline hipError_t allocate_pinned(void** memory, std::size_t bytes) {
  return hipHostMalloc(memory, bytes, pinned_flags);
}
inline hipError_t allocate(void** memory, std::size_t bytes) { return hipMalloc(memory, bytes); }
inline hipError_t release_pinned(void* memory) { return hipHostFree(memory); }
}  // namespace wherry::gpu

#else
#include <cuda_runtime.h>

#define GPU(name) cuda##name
#define GPU_CALL(name) "cuda" #name
#define GPU_DEVICE cuda_device
#define GPU_CONSTANT __grid_constant__

namespace wherry::gpu {
inline constexpr const char* name = "cuda";
inline constexpr const char* driver = "libcuda.so";
inline constexpr const char* meaning = "memory and streams of a CUDA device";
using pointer_attributes = cudaPointerAttributes;
inline constexpr unsigned pinned_flags = cudaHostAllocPortable | cudaHostAllocMapped;
inline cudaError_t allocate_pinned(void** memory, std::size_t bytes) {
  return cudaHostAlloc(memory, bytes, pinned_flags);
}
inline cudaError_t allocate(void** memory, std::size_t bytes) { return cudaMalloc(memory, bytes); }
inline cudaError_t release_pinned(void* memory) { return cudaFreeHost(memory); }
}  // namespace wherry::gpu

#endif
