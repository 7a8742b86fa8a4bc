// The settings that must be the same on all ranks.
#pragma once

#include <string>
#include <vector>

namespace wherry {

struct named_value {
  std::string name, value;
  bool operator==(const named_value&) const = default;
};

std::vector<named_value> settings_that_must_agree();

}  // namespace wherry
