// What cuda_device.cu needs of HIP's own header, for a compiler that knows the language where HIP itself is not
// installed. Declarations alone: nothing is linked with it. Written from its documentation, not copied.
#pragma once
#include <cstddef>
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((launch_bounds(n)))
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
extern const __device__ dim3 blockIdx, threadIdx;
__device__ void __syncthreads();
enum hipError_t { hipSuccess, hipErrorMemoryAllocation = 2, hipErrorNotReady = 600 };
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
extern "C" {
hipError_t hipGetLastError();
hipError_t hipPeekAtLastError();
hipError_t hipGetDevice(int*);
hipError_t hipSetDevice(int);
const char* hipGetErrorString(hipError_t);
hipError_t hipGetDeviceCount(int*);
hipError_t hipFree(void*);
hipError_t hipHostFree(void*);
hipError_t hipEventCreateWithFlags(hipEvent_t*, unsigned);
hipError_t hipStreamCreateWithFlags(hipStream_t*, unsigned);
hipError_t hipEventQuery(hipEvent_t);
hipError_t hipStreamDestroy(hipStream_t);
hipError_t hipEventDestroy(hipEvent_t);
hipError_t hipEventRecord(hipEvent_t, hipStream_t);
hipError_t hipStreamWaitEvent(hipStream_t, hipEvent_t, unsigned);
hipError_t hipEventSynchronize(hipEvent_t);
hipError_t hipStreamSynchronize(hipStream_t);
hipError_t hipDeviceSynchronize();
enum hipMemcpyKind { hipMemcpyDefault = 4 };
hipError_t hipMemcpyAsync(void*, const void*, size_t, hipMemcpyKind, hipStream_t);
enum hipMemoryType { hipMemoryTypeHost, hipMemoryTypeDevice };
struct hipPointerAttribute_t {
  hipMemoryType type;
  int device;
};
hipError_t hipPointerGetAttributes(hipPointerAttribute_t*, const void*);
struct hipIpcMemHandle_t {
  char reserved[64];
};
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t*, void*);
hipError_t hipIpcOpenMemHandle(void**, hipIpcMemHandle_t, unsigned);
hipError_t hipIpcCloseMemHandle(void*);
hipError_t hipLaunchKernel(const void*, dim3, dim3, void**, size_t, hipStream_t);
hipError_t __hipPushCallConfiguration(dim3, dim3, size_t, hipStream_t);
}
hipError_t hipMalloc(void**, size_t);
hipError_t hipHostMalloc(void**, size_t, unsigned);
#define hipHostMallocPortable 1
#define hipHostMallocMapped 2
#define hipEventDisableTiming 2
#define hipStreamNonBlocking 1
#define hipIpcMemLazyEnablePeerAccess 1
