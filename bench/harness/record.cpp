#include "harness/record.hpp"

#include <cmath>

namespace bench {
namespace {

std::string quoted(std::string_view raw) {
  std::string result = "\"";
  for (const char c : raw) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += ' ';
    else
      result += c;
  }
  return result + '"';
}

}  // namespace

std::string& record::name(std::string_view key) {
  text_ += text_.empty() ? "{" : ", ";
  return text_ += quoted(key) + ": ";
}

record& record::add(std::string_view key, std::string_view value) {
  name(key) += quoted(value);
  return *this;
}

record& record::add(std::string_view key, double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.6g", std::isfinite(value) ? value : 0.0);
  name(key) += buffer;
  return *this;
}

record& record::add(std::string_view key, bool value) {
  name(key) += value ? "true" : "false";
  return *this;
}

void record::write(std::FILE* file) const {
  if (file == nullptr) return;
  std::fprintf(file, "%s}\n", text_.c_str());
  std::fflush(file);
}

}  // namespace bench
