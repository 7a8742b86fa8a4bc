#include "kernels.hpp"

namespace nas_mg {

extern const kernel_set baseline_kernels;
#ifdef MG_X86
extern const kernel_set avx2_kernels, avx512_kernels;
#endif

const kernel_set& kernels() {
#ifdef MG_X86
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return avx512_kernels;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace nas_mg
