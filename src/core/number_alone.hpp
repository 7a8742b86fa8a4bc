// Parses a text that is one number and nothing else.
#pragma once

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace wherry {

/// The number; nothing if the text is no number, has more text behind it, or is out of range, as every NaN is.
template <class Number>
std::optional<Number> number_alone(std::string_view text, Number least = std::numeric_limits<Number>::lowest(),
                                   Number most = std::numeric_limits<Number>::max()) {
  Number number{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool good = status == std::errc{} && end == text.data() + text.size() && number >= least && number <= most;
  return good ? std::optional(number) : std::nullopt;
}

}  // namespace wherry
