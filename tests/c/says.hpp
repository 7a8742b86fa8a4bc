// Checks of what a call of the C interface returns.
#pragma once

#include <string>
#include <string_view>

#include "wherry/c/status.h"

#include "harness/harness.hpp"

namespace wherry_test {

/// The call has succeeded; otherwise the test ends on this rank, with the error's text.
inline void succeeds(wherry_status status, std::string_view title = "") {
  if (!fault(status != WHERRY_SUCCESS)) return;
  FAIL(std::string(title) + ": " + wherry_last_error()->text);
  throw requirement_failed("a call of the C interface has failed");
}

/// The call has failed with this status and a text that has these words.
inline void fails(const std::string& title, wherry_status status, wherry_status wanted, const std::string& words) {
  if (fault(status != wanted)) {
    FAIL(title + ": returned " + wherry_status_name(status) + ", expected " + wherry_status_name(wanted) +
         (status == WHERRY_SUCCESS ? "" : std::string(": ") + wherry_last_error()->text));
    return;
  }
  const std::string said = wherry_last_error()->text;
  if (fault(said.find(words) == std::string::npos)) FAIL(title + ": '" + words + "' is missing in: " + said);
  if (fault(wherry_last_error()->status != wanted)) FAIL(title + ": the error kept has another status");
}

}  // namespace wherry_test
