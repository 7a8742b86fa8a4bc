// Selects the implementation of one call: checks the call, and whether the chosen implementation can do it.
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

/// The wish of a caller who has named this implementation.
/// @throws error(argument) for an unknown name, so that this rank does not make the call
int wish_for(const call& what, communicator_state& on, std::string_view implementation);

/// Selects an implementation: the one that the choosers want (choices.hpp), if it can do the call. Local, and the same
/// on all ranks of a call. With WHERRY_CHECK it is collective, and ranks that mean different calls get error(mismatch).
/// @throws error(argument), error(state) if an earlier call was given up
selection select(const call& what, communicator_state& on, int wish = nobody);
/// The same for a question: always local.
/// @param implementation empty: the one that is chosen
selection explained_selection(const call& what, const communicator_state& on, std::string_view implementation = {});
/// A text such as "shared: chosen by the defaults", or one that says which implementation cannot do the call, and why.
std::string words_of(const selection& chosen);

inline shape_of_call shape_of(const call& what, const communicator_state& on) { return shape_of(what, on.comm.size()); }

}  // namespace wherry::collective
