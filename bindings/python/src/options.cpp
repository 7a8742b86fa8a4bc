#include "options.hpp"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <utility>

#include "wherry/core/thread_team.hpp"

#include "errors.hpp"

namespace wherry_python {

using wherry::plans::known_operation;

std::optional<wherry::reduction> operation_named(const std::string& name, std::string_view where) {
  static constexpr std::pair<std::string_view, known_operation> operations[] = {
      {"add", known_operation::add},
      {"multiply", known_operation::multiply},
      {"minimum", known_operation::minimum},
      {"maximum", known_operation::maximum},
      {"bitwise_and", known_operation::bit_and},
      {"bitwise_or", known_operation::bit_or},
      {"bitwise_xor", known_operation::bit_xor},
      {"logical_and", known_operation::logical_and},
      {"logical_or", known_operation::logical_or}};
  if (name.empty()) return std::nullopt;
  for (const auto& [known, operation] : operations)
    if (known == name) return wherry::reduction(operation);
  refuse(where, "there is no operation '", name, "'");
}

wherry::carry_options carry_of(const nb::dict& given, std::string_view where) {
  wherry::carry_options result;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (name == "transport")
      result.transport = nb::cast<std::string>(value);
    else if (name == "snapshot")
      result.snapshot = nb::cast<bool>(value);
    else if (name == "progress_thread")
      result.progress_thread = nb::cast<bool>(value);
    else if (name == "packet_bytes")
      result.packet_bytes = nb::cast<std::int64_t>(value);
    else if (name == "name")
      result.name = nb::cast<std::string>(value);
    else if (name == "threads") {
      if (const int threads = nb::cast<int>(value); threads > 1) result.team = wherry::thread_team::of_its_own(threads);
    } else
      refuse(where, "there is no option '", name, "'");
  }
  return result;
}

}  // namespace wherry_python
