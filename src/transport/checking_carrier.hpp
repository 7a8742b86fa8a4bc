// The carrier that WHERRY_CHECK=1 adds to every exchange.
#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// Makes that carrier. Beside the transports, it sends each peer a small message at every start, in which both sides
/// describe their start. Local. `test_stage` throws error(mismatch), once, if they disagree.
std::unique_ptr<transports::carrier> make_checking_carrier(const transports::bind_request& request);

}  // namespace wherry
