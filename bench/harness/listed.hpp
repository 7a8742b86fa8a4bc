/// @file
/// Values of the command line that are separated by commas.
#pragma once

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

}  // namespace bench
