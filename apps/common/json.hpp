/// @file
/// Just enough JSON to write results: objects built key by key.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace apps {

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

 private:
  json& raw(std::string_view key, std::string_view value);
  std::string members_;
};

/// Writes a list of objects. @throws std::runtime_error naming the file when it cannot be written.
void write_json(const std::string& path, const std::vector<json>& list);

}  // namespace apps
