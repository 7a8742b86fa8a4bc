// Selects the implementation of one call.
#pragma once

#include <string>
#include <string_view>

#include "wherry/collective/call.hpp"

#include "implementations.hpp"

namespace wherry::collective {

/// The decision of the last call of its kind and wish, if that call had the same arguments; it was checked, chosen for
/// and prepared then. Else null.
inline const decision* repeated(const call& what, const communicator_state& on, int wish = nobody) {
  return on.given_up.empty() ? on.chosen.decided(what, wish) : nullptr;
}

/// Selects an implementation. Local, and the same on all ranks of a call. With WHERRY_CHECK it is collective, and ranks
/// that mean different calls get error(mismatch).
/// @throws error(argument), error(state) if an earlier call was given up
selection select(const call& what, communicator_state& on);
/// The same for a blocking call. The result may be `on_trial` (first_calls.hpp), which names no implementation yet.
selection select_or_try(const call& what, communicator_state& on);
inline constexpr int on_trial = -1;
/// Selects the implementation of this name, if it can do the call.
/// @throws error(argument) for an unknown name
selection select(const call& what, communicator_state& on, std::string_view implementation);
/// The same for a question: always local.
/// @param implementation empty: the one that is chosen
selection explained_selection(const call& what, const communicator_state& on, std::string_view implementation = {});
/// A text such as "shared: chosen by the defaults", or one that says which implementation cannot do the call, and why.
std::string words_of(const selection& chosen);

shape_of_call shape_of(const call& what, const communicator_state& on);

/// Returns the call with a copy of its send buffer.
call with_copy_of_input(const call& what, communicator_state& on, scratch& copy);

}  // namespace wherry::collective
