#include "value_owners.hpp"

#include <algorithm>

namespace wherry {

template <int N>
value_owners<N>::value_owners(const floor_plan<N>& plan, const centring<N>& on, const domain<N>& space)
    : plan_(plan), space_(space), index_(plan.boxes()), only_upper_(plan.boxes().size(), known::not_yet) {
  // Dimension 0 first, as one counts in twos.
  for_each_point(values_of(box_of<N>(filled<N>(1)), on), [&](const point<N>& corner) { corners_.push_back(corner); });
}

template <int N> box_list<N> value_owners<N>::owned(int place, const box<N>& window) {
  box_list<N> result;
  if (const auto upper = intersection(cells_of(place), window); !upper.empty()) result.push_back(upper);
  if (owns_only_upper(place)) return result;
  const auto behind = owned_behind(place, window);
  result.insert(result.end(), behind.begin(), behind.end());
  return result;
}

/// Most boxes have others all around, whose cells are above the values on their last planes.
template <int N> bool value_owners<N>::owns_only_upper(int place) {
  auto& only = only_upper_[static_cast<std::size_t>(place)];
  if (only == known::not_yet) {
    const auto& cells = cells_of(place);
    only = owned_behind(place, grow(cells, 1)).empty() ? known::yes : known::no;
  }
  return only == known::yes;
}

/// Those that no box has the cell of that is above them in all dimensions.
template <int N> box_list<N> value_owners<N>::owned_behind(int place, const box<N>& window) const {
  box_list<N> result;
  const auto& cells = cells_of(place);
  for (std::size_t c = 1; c < corners_.size() && !cells.empty(); ++c) {
    const auto all = intersection(shift(cells, corners_[c]), window);
    if (all.empty()) continue;
    auto left = without_earlier({all}, cells, c);
    if (left.empty()) continue;
    for (const auto& other : images_near(all)) left = without_earlier(std::move(left), other.cells, c);
    result.insert(result.end(), left.begin(), left.end());
  }
  return result;
}

/// What is left of some values without those of which `cells` has a cell that comes before corner `c`.
template <int N>
box_list<N> value_owners<N>::without_earlier(box_list<N> values, const box<N>& cells, std::size_t c) const {
  for (std::size_t before = 0; before < c && !values.empty(); ++before)
    values = difference(values, shift(cells, corners_[before]));
  return values;
}

/// The boxes with cells around some values, in an order that all ranks have: how what is left is cut depends on it.
template <int N> auto value_owners<N>::images_near(const box<N>& values) const -> std::vector<image> {
  std::vector<image> found;
  index_.for_each_touching(grow<N>(values, corners_.back(), {}), space_, [&](int place, const point<N>& offset) {
    found.push_back({plan_.number_of(place), offset, shift(cells_of(place), offset)});
  });
  std::sort(found.begin(), found.end(), [](const image& a, const image& b) {
    return a.number != b.number ? a.number < b.number : a.offset < b.offset;
  });
  return found;
}

#define WHERRY_VALUE_OWNERS(N) template class value_owners<N>;
WHERRY_VALUE_OWNERS(1)
WHERRY_VALUE_OWNERS(2)
WHERRY_VALUE_OWNERS(3)
WHERRY_VALUE_OWNERS(4)
WHERRY_VALUE_OWNERS(5)
WHERRY_VALUE_OWNERS(6)
#undef WHERRY_VALUE_OWNERS

}  // namespace wherry
