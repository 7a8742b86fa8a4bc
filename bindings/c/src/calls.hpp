// From the calls of the C interface to those of the library.
#pragma once

#include <string_view>

#include "wherry/c/call.h"
#include "wherry/collective/collective.hpp"

namespace wherry_c {

struct of_collectives {};  // names the texts of collectives for `kept_text`

/// @throws error(argument) unless the number is that of a collective
wherry::collective::kind collective_of(wherry_collective kind, std::string_view where);

/// Local. @throws error(argument) for null, a structure without a size, or a number that is no collective's
wherry::collective::call call_of(const wherry_call* given, std::string_view where);

/// Null as a name that no implementation has.
inline std::string_view name_given(const char* name) { return name == nullptr ? std::string_view() : name; }

}  // namespace wherry_c
