#include "value_owners.hpp"

namespace wherry {

template <int N>
value_owners<N>::value_owners(const floor_plan<N>& plan, const centring<N>& on, const domain<N>& space)
    : plan_(plan), space_(space), index_(plan.boxes()), only_upper_(plan.boxes().size(), known::not_yet) {
  // Dimension 0 varies fastest.
  for_each_point(values_of(box_of_extents<N>(filled<N>(1)), on),
                 [&](const point<N>& corner) { corners_.push_back(corner); });
}

template <int N> box_list<N> value_owners<N>::owned(int place, const box<N>& window) {
  box_list<N> result;
  if (const auto upper = intersection(cells_of(place), window); !upper.empty()) result.push_back(upper);
  if (owns_only_upper(place)) return result;
  const auto behind = owned_behind(place, window);
  result.insert(result.end(), behind.begin(), behind.end());
  return result;
}

/// True if other boxes own all values on the last planes of the box, as for most boxes, which have neighbours on all
/// sides.
template <int N> bool value_owners<N>::owns_only_upper(int place) {
  auto& only = only_upper_[static_cast<std::size_t>(place)];
  if (only == known::not_yet) {
    const auto& cells = cells_of(place);
    only = owned_behind(place, grow(cells, 1), true).empty() ? known::yes : known::no;
  }
  return only == known::yes;
}

/// The owned values for which no box has the cell above them in all dimensions. The values are cut by one box after
/// another, among the boxes near the remainder, so that with many small boxes beside a large one each box meets few
/// pieces.
template <int N> box_list<N> value_owners<N>::owned_behind(int place, const box<N>& window, bool only_first) const {
  box_list<N> result, left;
  const auto& cells = cells_of(place);
  for (std::size_t c = 1; c < corners_.size() && !cells.empty(); ++c) {
    const auto all = intersection(shift(cells, corners_[c]), window);
    if (all.empty()) continue;
    left = without_earlier({all}, cells, c);
    while (!left.empty()) {
      const auto values = left.back();
      left.pop_back();
      if (const auto other = first_before(values, c)) {
        for (const auto& part : without_earlier({values}, *other, c)) left.push_back(part);
        continue;
      }
      result.push_back(values);
      if (only_first) return result;
    }
  }
  return result;
}

/// The values without those for which `cells` has a cell that precedes corner `c`.
template <int N>
box_list<N> value_owners<N>::without_earlier(box_list<N> values, const box<N>& cells, std::size_t c) const {
  for (std::size_t before = 0; before < c && !values.empty(); ++before)
    values = difference(values, shift(cells, corners_[before]));
  return values;
}

/// A box, at the position of its periodic image, that owns some of these values before corner `c`. It is the first one
/// in an order that is the same on all ranks, because the way in which the remainder is cut depends on it.
template <int N> std::optional<box<N>> value_owners<N>::first_before(const box<N>& values, std::size_t c) const {
  std::optional<box<N>> found;
  int number = 0;
  point<N> image{};
  index_.for_each_touching(grow<N>(values, corners_.back(), {}), space_, [&](int place, const point<N>& offset) {
    const int other = plan_.number_of(place);
    if (found && (other > number || (other == number && offset >= image))) return;
    const auto cells = shift(cells_of(place), offset);
    bool has_some = false;
    for (std::size_t before = 0; before < c; ++before)
      has_some = has_some || intersects(values, shift(cells, corners_[before]));
    if (!has_some) return;
    found = cells;
    number = other;
    image = offset;
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
