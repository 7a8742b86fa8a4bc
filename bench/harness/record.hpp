/// @file
/// What a benchmark program hands to its driver: one JSON object a line.
#pragma once

#include <concepts>
#include <cstdio>
#include <string>
#include <string_view>

namespace bench {

/// One line: `record("timing").add("n", 64).add("us", 181.2).write(file);`
class record {
 public:
  explicit record(std::string_view kind) { add("kind", kind); }

  record& add(std::string_view key, std::string_view value);
  record& add(std::string_view key, const char* value) { return add(key, std::string_view(value)); }
  record& add(std::string_view key, double value);
  record& add(std::string_view key, bool value);
  template <std::integral Integer> record& add(std::string_view key, Integer value) {
    name(key) += std::to_string(value);
    return *this;
  }

  /// Does nothing for a null file: what the ranks other than 0 have.
  void write(std::FILE* file) const;

 private:
  std::string& name(std::string_view key);
  std::string text_;
};

}  // namespace bench
