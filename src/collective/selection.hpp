// What does one call.
#pragma once

#include <string_view>

#include "wherry/collective/call.hpp"

#include "implementations.hpp"

namespace wherry::collective {

struct selection {
  int implementation;
  std::string_view source;    ///< who has chosen it
  std::string_view obstacle;  ///< why what was chosen cannot do it, so that this is MPI; else empty
  std::string_view wanted;    ///< then what that was
};

/// Who does it if the last call of its kind, and of that wish of the caller's, said the same: checked, chosen and made
/// ready then. Else null.
inline const decision* repeated(const call& what, const communicator_state& on, int wish = nobody) {
  return on.given_up.empty() ? on.chosen.decided(what, wish) : nullptr;
}

/// The place in the table of what does it. Local, and the same on all ranks of a call; with WHERRY_CHECK collective:
/// then ranks that mean different calls get error(mismatch). @throws error(argument), error(state) where an earlier
/// call was given up
int select(const call& what, communicator_state& on);
/// The same for a call that waits for its end: such a one may be `on_trial` (first_calls.hpp), which says no
/// implementation yet.
int select_or_try(const call& what, communicator_state& on);
inline constexpr int on_trial = -1;
/// Of this name, where it can. @throws error(argument) for a name that nobody has
int select(const call& what, communicator_state& on, std::string_view implementation);
/// Why. Always local.
selection explained_selection(const call& what, const communicator_state& on);

shape_of_call shape_of(const call& what, const communicator_state& on);

/// The call with a copy of what it sends.
call with_copy_of_input(const call& what, communicator_state& on, scratch& copy);

}  // namespace wherry::collective
