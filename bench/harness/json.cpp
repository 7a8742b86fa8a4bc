#include "harness/json.hpp"

#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace bench {
namespace {

std::string quoted(std::string_view raw) {
  std::string result = "\"";
  for (const char c : raw) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + '"';
}

/// Prints all digits, so that a residual norm can be read back unchanged.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.15g", value);
  return buffer;
}

}  // namespace

json& json::raw(std::string_view key, std::string_view value) {
  if (!members_.empty()) members_ += ", ";
  members_ += quoted(key) + ": ";
  members_ += value;
  return *this;
}

json& json::add(std::string_view key, std::string_view value) { return raw(key, quoted(value)); }
json& json::add(std::string_view key, double value) { return raw(key, number(value)); }
json& json::add(std::string_view key, bool value) { return raw(key, value ? "true" : "false"); }
json& json::add(std::string_view key, const json& value) { return raw(key, value.text()); }

json& json::add(std::string_view key, const std::vector<double>& values) {
  std::string list;
  for (const double value : values) list += (list.empty() ? "" : ", ") + number(value);
  return raw(key, "[" + list + "]");
}

void json::write(std::FILE* file) const {
  if (file == nullptr) return;
  std::fprintf(file, "%s\n", text().c_str());
  std::fflush(file);
}

void write_json(const std::string& path, const std::vector<json>& list) {
  std::ofstream file(path);
  file << "[";
  const char* separator = "\n";
  for (const auto& entry : list) {
    file << separator << entry.text();
    separator = ",\n";
  }
  file << "\n]\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + path + "'");
}

}  // namespace bench
