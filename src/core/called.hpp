// What users call the things they make: "segment 'halo'", in errors, statistics and traces.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry {

/// @param name possibly none
inline std::string full_name(std::string_view pattern, std::string_view name) {
  return name.empty() ? std::string(pattern) : detail::text(pattern, " '", name, "'");
}

/// What all ranks do together goes by the pattern, by which they tell places of the program apart: they may use other
/// names. Its errors tell this rank's.
template <class Step> auto told_as(const std::string& name, std::string_view pattern, Step&& step) {
  try {
    return std::forward<Step>(step)();
  } catch (const error& problem) {
    if (problem.where() != pattern || name == pattern) throw;
    throw error(problem.kind(), name, problem.text(), problem.rank(), problem.peers());
  }
}

}  // namespace wherry
