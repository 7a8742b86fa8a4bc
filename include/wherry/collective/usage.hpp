/// @file
/// What has been called, and what did it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct usage {
  kind what;
  std::string_view implementation;
  std::uint64_t calls;
};

/// Of this process, over all communicators: what has been called at all. Local.
std::vector<usage> usage_so_far();

}  // namespace wherry::collective
