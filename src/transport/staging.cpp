#include "staging.hpp"

#include "core/available_memory.hpp"

namespace wherry {

void require_staging(const bind_request& request, std::size_t bytes) {
  require_memory(request.plan.pattern, "messages", bytes, request.comm.rank());
}

void require_staging(const bind_request& request) {
  require_staging(request, static_cast<std::size_t>(request.plan.bytes_sent() + request.plan.bytes_received()));
}

}  // namespace wherry
