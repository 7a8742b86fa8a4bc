// Slots in a Fortran coarray, filled by Fortran assignments to another image. All processes together must make a
// coarray: so there is only one, made when the first communicator of all processes asks for it, in a few lots, one for
// each communicator with mailboxes there.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "wherry/core/communicator.hpp"

#include "mail_memory.hpp"

namespace wherry::collective {

/// The reason why there are no coarrays for this communicator, the same on all ranks. Local. Empty: `make_coarray_mail`
/// may try.
std::string_view no_coarrays_for(const communicator& comm);

struct made_coarray_mail {
  std::unique_ptr<mail_memory> memory;  ///< or null, on all ranks alike
  std::string_view why_not;
};
/// Makes the slots. Collective, if `no_coarrays_for` returns an empty text.
/// @param slot used by the first call only, which makes the coarray
made_coarray_mail make_coarray_mail(const communicator& comm, std::int64_t slot);

}  // namespace wherry::collective
