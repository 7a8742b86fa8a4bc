/// @file
/// What a race of the tuner's has shown.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "wherry/collective/collective.hpp"

#include "harness/collective_race.hpp"

namespace tuning {

inline const bench::standing& of(const std::vector<bench::standing>& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

/// Not what stands beside the implementations: MPI's own call, the one that is chosen now, buffers of other memory.
inline bool is_a_choice(const std::string& name) {
  const auto all = wherry::collective::implementations_there_are();
  return name != "mpi" && std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

}  // namespace tuning
