#include "kernel.hpp"

namespace redblack3d {

extern const kernel_set baseline_kernels;
#ifdef RB_X86
extern const kernel_set avx2_kernels;
#endif

const kernel_set& kernels() {
#ifdef RB_X86
  if (__builtin_cpu_supports("avx2")) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace redblack3d
