// Collectives by one-sided writes: classic algorithms whose messages go by mailboxes.
#pragma once

#include <string_view>

#include "implementations.hpp"
#include "mailboxes.hpp"

namespace wherry::collective {

/// Paper 2: "one-sided".
task start_one_sided(const implementation& self, invocation& call);
/// Paper 2: "PGAS", which here are notified writes.
task start_pgas(const implementation& self, invocation& call);
std::string_view without_mailboxes(const implementation& self, const shape_of_call& shape,
                                   const communicator_state& on);

}  // namespace wherry::collective
