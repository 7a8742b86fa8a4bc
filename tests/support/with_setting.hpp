// A setting that holds for a scope.
#pragma once

#include "wherry/core/settings.hpp"

namespace wherry_test {

/// Why a test that changes settings is `not_simulated`.
inline constexpr auto one_environment = "its ranks share one environment";

class with_setting {
 public:
  with_setting(const char* name, const char* value, const char* before) : name_(name), before_(before) {
    wherry::configure(name, value);
  }
  with_setting(const with_setting&) = delete;
  with_setting& operator=(const with_setting&) = delete;
  ~with_setting() { wherry::configure(name_, before_); }

 private:
  const char *name_, *before_;
};

}  // namespace wherry_test
