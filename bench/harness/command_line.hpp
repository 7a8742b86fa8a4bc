/// @file
/// The command line of a benchmark program, which its driver writes: flags, and pairs of a name and a value.
#pragma once

#include <cstdio>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

/// "32,64" as numbers or words. @throws std::invalid_argument
template <class Value> std::vector<Value> listed(const std::string& text) {
  std::vector<Value> values;
  std::istringstream list(text);
  for (std::string word; std::getline(list, word, ',');) {
    Value value{};
    if (!(std::istringstream(word) >> value)) throw std::invalid_argument("do not understand '" + word + "'");
    values.push_back(value);
  }
  return values;
}

/// Names without a value, and what becomes true.
using command_flags = std::map<std::string, bool*>;

/// Raises the flags, and calls `set(name, value)` for each pair; it returns false for a name that it does not know.
/// @throws std::invalid_argument
template <class Set> void for_each_option(int argc, char** argv, const command_flags& flags, Set set) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (const auto flag = flags.find(name); flag != flags.end()) {
      *flag->second = true;
      continue;
    }
    if (i + 1 == argc) throw std::invalid_argument(name + " wants a value, or is unknown");
    if (!set(name, std::string(argv[++i]))) throw std::invalid_argument("unknown option " + name);
  }
}

/// @throws std::invalid_argument when it cannot be written
inline std::FILE* opened(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) throw std::invalid_argument("cannot write the file of --out");
  return file;
}

}  // namespace bench
