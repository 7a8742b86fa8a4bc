// The text of a box in error messages and tables: [0:4,0:8), where the upper ends are excluded.
#pragma once

#include <string>

#include "wherry/core/error.hpp"
#include "wherry/geometry/box.hpp"

namespace wherry::detail {

template <int N> std::string text_of(const box<N>& b) {
  std::string out;
  for (std::size_t d = 0; d < N; ++d) out += text(d == 0 ? "[" : ",", b.lower[d], ':', b.upper[d]);
  return out + ")";
}

}  // namespace wherry::detail
