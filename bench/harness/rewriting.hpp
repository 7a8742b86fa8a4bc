/// @file
/// Measures with and without each rank rewriting the data that it sends before every exchange, as programs do.
#pragma once

#include <utility>
#include <vector>

#include "harness/timing.hpp"

namespace bench {

/// Calls `measure(methods, rewrites)` for the wanted cases, `given.touched` and `given.untouched`.
template <class Options, class Measure>
void with_and_without_rewriting(const Options& given, std::vector<method> methods, Measure&& measure) {
  if (given.touched) measure(methods, true);
  for (auto& m : methods) m.before = {};
  if (given.untouched) measure(methods, false);
}

}  // namespace bench
