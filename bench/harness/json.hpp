/// @file
/// The small part of JSON that results need: objects that are built key by key, in a list or one in each line.
#pragma once

#include <concepts>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

/// One JSON object: `json().add("ranks", 2).add("verified", true)`.
class json {
 public:
  json& add(std::string_view key, std::string_view value);
  json& add(std::string_view key, const char* value) { return add(key, std::string_view(value)); }
  json& add(std::string_view key, double value);
  json& add(std::string_view key, bool value);
  json& add(std::string_view key, const std::vector<double>& values);
  json& add(std::string_view key, const json& value);
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  json& add(std::string_view key, Integer value) {
    return raw(key, std::to_string(value));
  }

  std::string text() const { return "{" + members_ + "}"; }
  /// Writes a line. Does nothing for a null file, which ranks other than 0 have.
  void write(std::FILE* file) const;

 private:
  json& raw(std::string_view key, std::string_view value);
  std::string members_;
};

/// Makes a record that a benchmark program hands to its driver, one in each line: `record("timing").add("n",
/// 64).add("us", 181.2).write(file);`
inline json record(std::string_view kind) { return json().add("kind", kind); }

/// Writes a list of objects. @throws std::runtime_error that names the file, if it cannot be written.
void write_json(const std::string& path, const std::vector<json>& list);

}  // namespace bench
