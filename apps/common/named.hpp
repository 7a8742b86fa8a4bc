// One of several, chosen by its name on the command line.
#pragma once

#include <string>

#include "common/arguments.hpp"

namespace apps {

/// The one of `all` with this `name`.
/// @throws usage_error that names the option and the names there are
template <class All> const auto& named(const All& all, const std::string& option, const std::string& name) {
  std::string names;
  for (const auto& one : all) {
    if (one.name == name) return one;
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  }
  throw usage_error(option + " is '" + name + "', expected one of: " + names);
}

}  // namespace apps
