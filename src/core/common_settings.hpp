// The settings that must be the same on all ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wherry {

struct common_setting {
  std::string_view name;  ///< a literal
  std::string value;
};

/// Made once, and again after the program has changed a setting.
const std::vector<common_setting>& settings_that_must_agree();

}  // namespace wherry
