#include "staging.hpp"

#include "wherry/core/checked.hpp"

#include "core/available_memory.hpp"

namespace wherry {

std::int64_t bytes_of_messages(const transports::bind_request& request) {
  const detail::checked total{request.plan.pattern, "number of bytes of all messages", request.comm.rank()};
  std::int64_t bytes = 0;
  for (const auto& part : request.stages)
    for (const auto* list : {&part.sends, &part.receives})
      for (const auto& m : *list) bytes = total.sum(bytes, request.plan.bytes_of(m));
  return bytes;
}

void require_staging(const transports::bind_request& request, std::size_t bytes) {
  require_memory(request.plan.pattern, "messages", bytes, request.comm.rank());
}

void require_staging(const transports::bind_request& request) {
  require_staging(request, static_cast<std::size_t>(bytes_of_messages(request)));
}

}  // namespace wherry
