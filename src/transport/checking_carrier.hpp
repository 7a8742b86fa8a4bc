#pragma once

#include <memory>

#include "wherry/transport/transport.hpp"

namespace wherry {

/// WHERRY_CHECK=1: beside what carries an exchange, a small message to each of its peers at every start, in which both
/// sides say what they have started. Local. `test_stage` throws error(mismatch), once, where they disagree.
std::unique_ptr<carrier> make_checking_carrier(const bind_request& request);

}  // namespace wherry
