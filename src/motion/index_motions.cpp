#include "wherry/motion/index_motions.hpp"

#include <algorithm>

#include "wherry/geometry/box_index.hpp"

namespace wherry {

template <int N>
std::vector<std::pair<int, int>> detail::touching_parts(const detail::part_covers<N>& from,
                                                        const detail::part_covers<N>& to) {
  std::vector<std::pair<int, int>> pairs;
  const box_index<N> index(from.boxes);
  for (std::size_t j = 0; j < to.boxes.size(); ++j)
    index.for_each_touching(to.boxes[j], [&](int i) {
      const std::pair pair(from.part[static_cast<std::size_t>(i)], to.part[j]);
      // Two parts mostly touch in many boxes, which follow each other here.
      if (pairs.empty() || pairs.back() != pair) pairs.push_back(pair);
    });
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

template std::vector<std::pair<int, int>> detail::touching_parts(const detail::part_covers<1>&,
                                                                 const detail::part_covers<1>&);
template std::vector<std::pair<int, int>> detail::touching_parts(const detail::part_covers<2>&,
                                                                 const detail::part_covers<2>&);
template std::vector<std::pair<int, int>> detail::touching_parts(const detail::part_covers<3>&,
                                                                 const detail::part_covers<3>&);
template std::vector<std::pair<int, int>> detail::touching_parts(const detail::part_covers<4>&,
                                                                 const detail::part_covers<4>&);
template std::vector<std::pair<int, int>> detail::touching_parts(const detail::part_covers<5>&,
                                                                 const detail::part_covers<5>&);
template std::vector<std::pair<int, int>> detail::touching_parts(const detail::part_covers<6>&,
                                                                 const detail::part_covers<6>&);

}  // namespace wherry
