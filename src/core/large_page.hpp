// The size of a large page.
#pragma once

#include <cstddef>

namespace wherry {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

}  // namespace wherry
