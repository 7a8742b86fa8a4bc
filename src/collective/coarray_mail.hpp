// Slots in a Fortran coarray, filled by Fortran's assignments to another image. A coarray is made by all processes
// together, so there is one, made when the first communicator of all processes asks for it, in a few lots, one for each
// communicator that has mailboxes there.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "wherry/core/communicator.hpp"

#include "mail_memory.hpp"

namespace wherry::collective {

/// Local, and the same on all ranks: why there are no coarrays for this communicator. Empty: `coarray_mail` may try.
std::string_view no_coarrays_for(const communicator& comm);

struct made_coarray_mail {
  std::unique_ptr<mail_memory> memory;  ///< or null, on all ranks alike
  std::string_view why_not;
};
/// Collective, where `no_coarrays_for` says nothing. `slot`: of the first call alone, which makes the coarray.
made_coarray_mail make_coarray_mail(const communicator& comm, std::int64_t slot);

}  // namespace wherry::collective
