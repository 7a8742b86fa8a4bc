/// @file
/// The result of a race of the tuner's.
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

/// True for an implementation other than MPI's own. False for the other contenders: MPI's own call, the present choice,
/// and buffers in other memory.
inline bool is_a_choice(const std::string& name) {
  const auto all = wherry::collective::implementations_there_are();
  return name != "mpi" && std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

}  // namespace tuning
