// Collectives by one-sided writes: classic algorithms with messages by mailboxes.
#pragma once

#include <cstdint>
#include <string_view>

#include "implementations.hpp"
#include "mailboxes.hpp"

namespace wherry::collective {

/// "one-sided" in CRESTA.
task start_one_sided(const implementation& self, invocation& call);
/// "PGAS" in CRESTA, here by notified writes.
task start_pgas(const implementation& self, invocation& call);
/// "PGAS" in CRESTA, by Fortran coarrays.
task start_coarray(const implementation& self, invocation& call);
/// The functions `prepare`, `give_back` and `obstacle` of these implementations.
void prepare_mailboxes(const implementation& self, communicator_state& on, std::int64_t bytes);
void give_back_mailboxes(const implementation& self, communicator_state& on);
std::string_view without_mailboxes(const implementation& self, const shape_of_call& shape,
                                   const communicator_state& on);

}  // namespace wherry::collective
