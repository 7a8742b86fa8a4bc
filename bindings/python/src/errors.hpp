// Errors of the library as Python's wherry.Error, and errors of one rank that all ranks hear of.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>

#include "wherry/core/error.hpp"

namespace wherry_python {

namespace nb = nanobind;

/// @throws error(argument) with this text
template <class... Parts> [[noreturn]] void refuse(std::string_view where, const Parts&... parts) {
  throw wherry::error(wherry::error_kind::argument, where, wherry::detail::text(parts...));
}

/// True in a child of fork(), in which objects of the library are left as they are: their ends would communicate.
bool is_in_child();
/// @throws error(state) in a child of fork(), which has neither MPI nor the other ranks
void require_no_child(std::string_view where);

void bind_errors(nb::module_& m);

}  // namespace wherry_python
