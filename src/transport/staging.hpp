// What messages are packed in is memory that a bind takes, and asks for first: systems give away more than they have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Bytes of all messages of the request.
std::int64_t bytes_of_messages(const bind_request& request);

/// Local. @throws error(resource) naming the plan and the figures where `bytes` for its messages are not to be had
void require_staging(const bind_request& request, std::size_t bytes);
/// For all messages at once.
void require_staging(const bind_request& request);

}  // namespace wherry
