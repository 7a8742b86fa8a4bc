// The memory in which messages are packed is taken at bind, after asking whether it is there, because operating systems
// promise more memory than they have.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// The bytes of all messages of the request.
std::int64_t bytes_of_messages(const transports::bind_request& request);

/// Local. @throws error(resource), which names the plan and the figures, if `bytes` for its messages are not to be had
void require_staging(const transports::bind_request& request, std::size_t bytes);
/// Asks for the bytes of all messages at once.
void require_staging(const transports::bind_request& request);

}  // namespace wherry
