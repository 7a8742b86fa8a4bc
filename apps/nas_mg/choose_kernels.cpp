#include "kernels.hpp"

namespace nas_mg {

extern const kernel_set baseline_kernels;
#ifdef MG_X86
extern const kernel_set avx2_kernels;
#endif

const kernel_set& kernels() {
#ifdef MG_X86
  // AVX-512 was no faster where we tried it: rows are not aligned to its vectors, and memory is the limit.
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace nas_mg
