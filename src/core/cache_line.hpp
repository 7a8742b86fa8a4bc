// Cache lines, on which pieces of memory begin that different ranks use.
#pragma once

#include <concepts>

namespace wherry {

/// A number of bytes, rounded up to whole cache lines.
template <std::integral T> constexpr T in_lines(T bytes) {
  constexpr T line = 64;
  return (bytes + line - 1) / line * line;
}

}  // namespace wherry
