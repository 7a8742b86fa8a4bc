// The names that users give to their objects: "segment 'halo'", for errors, statistics and traces.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry {

/// @param name may be empty
inline std::string full_name(std::string_view pattern, std::string_view name) {
  return name.empty() ? std::string(pattern) : detail::text(pattern, " '", name, "'");
}

/// Runs a step that all ranks do together. Ranks tell places of the program apart by `pattern`, because their names may
/// differ; an error of the step is renamed to this rank's `name`.
template <class Step> auto told_as(const std::string& name, std::string_view pattern, Step&& step) {
  try {
    return std::forward<Step>(step)();
  } catch (const error& problem) {
    if (problem.where() != pattern || name == pattern) throw;
    throw error(problem.kind(), name, problem.text(), problem.rank(), problem.peers());
  }
}

}  // namespace wherry
