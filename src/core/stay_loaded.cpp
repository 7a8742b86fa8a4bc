#include "stay_loaded.hpp"

#include <dlfcn.h>

#include "wherry/core/mpi.hpp"

namespace wherry {
namespace {

bool pin() {
  if constexpr (detail::ranks_share_a_process) return true;  // a simulator loads a copy for each rank
  Dl_info ours{};
  // The program itself cannot be opened in this way, and need not be.
  return dladdr(reinterpret_cast<const void*>(&pin), &ours) != 0 &&
         dlopen(ours.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != nullptr;
}

}  // namespace

void stay_loaded() { [[maybe_unused]] static const bool pinned = pin(); }

}  // namespace wherry
