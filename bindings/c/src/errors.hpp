// From exceptions to status codes: nothing that is thrown leaves the C interface.
#pragma once

#include <string_view>

#include "wherry/c/status.h"
#include "wherry/core/error.hpp"

namespace wherry_c {

/// Keeps the exception that is being handled as this thread's last error.
wherry_status keep_error(std::string_view where) noexcept;

/// Throws what a layer over this interface has found wrong with the arguments of the next call that takes options.
/// @throws error(argument) if there is something
void throw_refused(std::string_view where);

/// Runs a call of the interface.
template <class Step> wherry_status guarded(std::string_view where, Step&& step) noexcept {
  try {
    step();
    return WHERRY_SUCCESS;
  } catch (...) {
    return keep_error(where);
  }
}

/// @throws error(argument) if a pointer to a result is null
template <class T> void require_result(const T* result, std::string_view where, std::string_view argument) {
  if (result == nullptr)
    throw wherry::error(wherry::error_kind::argument, where, wherry::detail::text('\'', argument, "' is NULL"));
}

}  // namespace wherry_c
