// What the system tells of itself in files of /proc and /sys, which do not say how long they are.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace wherry {

/// The text from its beginning, at most so many bytes of it: of /proc/cpuinfo, which the system takes long to write
/// where there are many processors, the first one's will do. Empty where there is nothing to read. Not by a stream: the
/// first of a program takes 150 µs.
std::string system_text(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace wherry
