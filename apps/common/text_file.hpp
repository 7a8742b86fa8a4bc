/// @file
/// Whole files as texts.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace apps {

/// Reads a file; the text is empty if there is no such file.
inline std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Writes a file. True if all of the text is in the file.
[[nodiscard]] inline bool write_text(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
  return text_of(file) == text;
}

}  // namespace apps
