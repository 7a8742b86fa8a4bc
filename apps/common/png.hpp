/// @file
/// Pictures as PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// @param dots rows from the top, three bytes a dot: red, green, blue
/// @throws std::runtime_error naming the file when it cannot be written
void write_png(const std::string& file, int width, int height, const std::vector<std::uint8_t>& dots);

}  // namespace apps
