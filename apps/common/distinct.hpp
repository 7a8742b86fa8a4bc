/// @file
/// What lists have, without what comes again.
#pragma once

#include <algorithm>
#include <vector>

namespace apps {

/// `of` each of the list's, once, in the order in which they come.
template <class List, class Of> auto distinct(const List& list, Of of) {
  std::vector<decltype(of(list.front()))> all;
  for (const auto& one : list)
    if (std::find(all.begin(), all.end(), of(one)) == all.end()) all.push_back(of(one));
  return all;
}

}  // namespace apps
