#include "gpu_aware_mpi.hpp"

#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

namespace wherry {
namespace {

enum class answer { yes, no, none };

/// Each family of MPIs has a call of its own for this, or none.
answer of_mpi([[maybe_unused]] std::string_view device) {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (device == "cuda") return MPIX_Query_cuda_support() != 0 ? answer::yes : answer::no;
#endif
#if defined(MPIX_ROCM_AWARE_SUPPORT)
  if (device == "hip") return MPIX_Query_rocm_support() != 0 ? answer::yes : answer::no;
#endif
#if defined(MPIX_GPU_SUPPORT_CUDA) && defined(MPIX_GPU_SUPPORT_HIP)
  int yes = 0;
  const bool known = device == "cuda" || device == "hip";
  if (known &&
      PMPIX_GPU_query_support(device == "cuda" ? MPIX_GPU_SUPPORT_CUDA : MPIX_GPU_SUPPORT_HIP, &yes) == MPI_SUCCESS)
    return yes != 0 ? answer::yes : answer::no;
#endif
  return answer::none;
}

}  // namespace

gpu_awareness gpu_aware_mpi(std::string_view device) {
  const auto& said = current_settings().gpu_aware_mpi;
  if (said != "auto") return {said == "1", detail::text("WHERRY_GPU_AWARE_MPI is ", said)};
  switch (of_mpi(device)) {
    case answer::yes:
      return {true, detail::text("MPI says that it reaches the memory of '", device, "'")};
    case answer::no:
      return {false, detail::text("MPI says that it does not reach the memory of '", device, "'")};
    default:
      return {false, detail::text("MPI says nothing of the memory of '", device,
                                  "'; set WHERRY_GPU_AWARE_MPI=1 if it reaches it")};
  }
}

}  // namespace wherry
