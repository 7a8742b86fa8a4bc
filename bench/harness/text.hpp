/// @file
/// Builds texts from parts, for applications and benchmarks: `text("width is ", -1)`.
#pragma once

#include "wherry/core/error.hpp"

namespace bench {

using wherry::detail::text;

}  // namespace bench
