// What the system tells of itself in files of /proc and /sys, which do not say how long they are.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace wherry {

/// The text from its beginning, of at most some bytes: where a machine has many processors the system takes long to
/// write all of it. Empty where there is nothing to read. Not by a stream: the first of a program takes 150 µs.
std::string system_text(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace wherry
