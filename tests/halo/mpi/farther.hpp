// Operations of a user's own.
#pragma once

#include "wherry/device/operation.hpp"

namespace wherry_test {

/// Of two numbers that which is farther from zero.
wherry::plans::typed_reduction farther();

/// An element that is no number.
struct weighed {
  double value = 0, weight = 0;
  long count = 0;
  bool operator==(const weighed&) const = default;
};
wherry::plans::typed_reduction weighed_mean();

}  // namespace wherry_test
