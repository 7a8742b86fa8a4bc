#include "kernels.hpp"

namespace lattice_boltzmann {

extern const kernel_set baseline_kernels;
#ifdef LB_X86
extern const kernel_set avx2_kernels;
#endif

const kernel_set& kernels() {
#ifdef LB_X86
  if (__builtin_cpu_supports("avx2")) return avx2_kernels;
#endif
  return baseline_kernels;
}

}  // namespace lattice_boltzmann
