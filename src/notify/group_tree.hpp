// Trees with consecutive members in each branch, so that data on the way up is combined in the order of the members.
#pragma once

#include <vector>

namespace wherry {

struct group_place {
  int parent = -1;
  std::vector<int> children;
};

/// The place of member `index` of `size` in a tree with at most `branches` children for each member.
inline group_place place_in_group(int index, int size, int branches) {
  group_place here;
  for (int first = 0, end = size;;) {
    const int below = end - first - 1, count = below < branches ? below : branches;
    const auto begin_of = [&](int branch) {
      return first + 1 + static_cast<int>(static_cast<long>(below) * branch / (count == 0 ? 1 : count));
    };
    if (index == first) {
      for (int branch = 0; branch < count; ++branch) here.children.push_back(begin_of(branch));
      return here;
    }
    int branch = count - 1;
    while (begin_of(branch) > index) --branch;
    here.parent = first;
    end = branch + 1 < count ? begin_of(branch + 1) : end;
    first = begin_of(branch);
  }
}

}  // namespace wherry
