/// @file
/// Lists without their repeated entries.
#pragma once

#include <algorithm>
#include <vector>

namespace apps {

/// Returns `of(entry)` for the entries of the list: each value once, in the order of its first occurrence.
template <class List, class Of> auto distinct(const List& list, Of of) {
  std::vector<decltype(of(list.front()))> all;
  for (const auto& one : list)
    if (std::find(all.begin(), all.end(), of(one)) == all.end()) all.push_back(of(one));
  return all;
}

}  // namespace apps
