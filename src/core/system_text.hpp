// Reads files of /proc and /sys, which do not give their size.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

namespace wherry {

/// The beginning of the text, at most `most` bytes; empty if it cannot be read. A few bytes of /proc/cpuinfo are enough
/// for the first processor, and the system takes long to write it for many. It uses no stream, because the first stream
/// of a program costs 150 µs.
std::string system_text(const std::string& path, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace wherry
