// What does one call.
#pragma once

#include <string>
#include <string_view>

#include "wherry/collective/call.hpp"

#include "implementations.hpp"

namespace wherry::collective {

/// Who does it if the last call of its kind, and of that wish of the caller's, said the same: checked, chosen and made
/// ready then. Else null.
inline const decision* repeated(const call& what, const communicator_state& on, int wish = nobody) {
  return on.given_up.empty() ? on.chosen.decided(what, wish) : nullptr;
}

/// What does it. Local, and the same on all ranks of a call; with WHERRY_CHECK collective:
/// then ranks that mean different calls get error(mismatch). @throws error(argument), error(state) where an earlier
/// call was given up
selection select(const call& what, communicator_state& on);
/// The same for a call that waits for its end: such a one may be `on_trial` (first_calls.hpp), which says no
/// implementation yet.
selection select_or_try(const call& what, communicator_state& on);
inline constexpr int on_trial = -1;
/// Of this name, where it can. @throws error(argument) for a name that nobody has
selection select(const call& what, communicator_state& on, std::string_view implementation);
/// The same for who only asks: always local. @param implementation none: the one that is chosen
selection explained_selection(const call& what, const communicator_state& on, std::string_view implementation = {});
/// "shared: chosen by the defaults", or also what cannot, and why.
std::string words_of(const selection& chosen);

shape_of_call shape_of(const call& what, const communicator_state& on);

/// The call with a copy of what it sends.
call with_copy_of_input(const call& what, communicator_state& on, scratch& copy);

}  // namespace wherry::collective
