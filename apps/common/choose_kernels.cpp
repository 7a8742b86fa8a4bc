// Compiled once for each application whose kernels are compiled for two kinds of processor, see ProcessorKernels.cmake.
#include KERNELS_HEADER

namespace KERNELS_NAMESPACE {

extern const kernel_set baseline_kernels;
#ifdef KERNELS_AVX2
extern const kernel_set avx2_kernels;
#endif

const kernel_set& kernels() {
#ifdef KERNELS_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace KERNELS_NAMESPACE
