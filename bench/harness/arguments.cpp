#include "harness/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

#include "harness/text.hpp"

namespace bench {
namespace {

template <class Number> Number parse(std::string_view name, const std::string& value, Number least, Number most) {
  Number number{};
  const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (status != std::errc{} || end != value.data() + value.size() || !(number >= least && number <= most))
    throw usage_error(text(name, " is '", value, "', expected a number from ", least, " to ", most));
  return number;
}

}  // namespace

bool arguments::flag(std::string_view name) {
  const auto found = std::find(words_.begin(), words_.end(), name);
  if (found == words_.end()) return false;
  words_.erase(found);
  return true;
}

std::string arguments::text(std::string_view name, std::string_view fallback) {
  const auto found = std::find(words_.begin(), words_.end(), name);
  if (found == words_.end()) return std::string(fallback);
  const auto value = found + 1;
  if (value == words_.end()) throw usage_error(bench::text(name, " wants a value"));
  const std::string result = *value;
  words_.erase(found, value + 1);
  return result;
}

long arguments::integer(std::string_view name, long fallback, long least, long most) {
  const auto value = text(name);
  return value.empty() ? fallback : parse<long>(name, value, least, most);
}

double arguments::number(std::string_view name, double fallback, double least, double most) {
  const auto value = text(name);
  return value.empty() ? fallback : parse<double>(name, value, least, most);
}

template <class Element> std::vector<Element> arguments::list(std::string_view name, std::vector<Element> fallback) {
  std::istringstream words(text(name));
  std::vector<Element> values;
  for (std::string word; std::getline(words, word, ',');) {
    if constexpr (std::is_same_v<Element, std::string>)
      values.push_back(word);
    else
      values.push_back(parse<Element>(name, word, 1, std::numeric_limits<Element>::max()));
  }
  return values.empty() ? std::move(fallback) : values;
}
template std::vector<int> arguments::list(std::string_view, std::vector<int>);
template std::vector<long> arguments::list(std::string_view, std::vector<long>);
template std::vector<std::string> arguments::list(std::string_view, std::vector<std::string>);

void arguments::finish() const {
  if (!words_.empty()) throw usage_error("do not understand '" + words_.front() + "'");
}

int run_with(arguments& words, const char* usage, int rank, int (*body)(arguments&)) {
  try {
    if (words.flag("--help") || words.flag("-h")) {
      if (rank == 0) std::printf("%s", usage);
      return 0;
    }
    return body(words);
  } catch (const usage_error& failure) {
    // All ranks have the same command line, so all of them reach this point.
    if (rank == 0) std::fprintf(stderr, "error: %s\n%s", failure.what(), usage);
    return 2;
  }
}

int run_alone(int argc, char** argv, const char* usage, int (*body)(arguments&)) {
  try {
    arguments words(argc, argv);
    return run_with(words, usage, 0, body);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
  }
  return 1;
}

}  // namespace bench
