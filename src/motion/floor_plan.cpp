#include "wherry/motion/floor_plan.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "wherry/geometry/box_calculus.hpp"
#include "wherry/geometry/box_index.hpp"

namespace wherry {
namespace {

constexpr int most_boxes_looked_at = 16;   // fewer boxes need no index
constexpr int questions_before_index = 8;  // an index costs more than so many looks at all boxes

template <int N> struct boxes_by_place : detail::made_once::held {
  box_index<N> index;
  explicit boxes_by_place(std::span<const box<N>> boxes) : index(boxes) {}

  /// The place of the first box that contains the point, or `none`.
  int first_around(const point<N>& at, int none) const {
    if (!index.bounds().contains(at)) return none;
    box<N> cell{at, at};
    for (auto& upper : cell.upper) ++upper;
    index.for_each_touching(cell, [&none](int place) { none = std::min(none, place); });
    return none;
  }
};

/// The place of the first box that contains the point, or the number of boxes.
template <int N> int first_around(const point<N>& at, std::span<const box<N>> boxes, const detail::made_once& kept) {
  const int count = static_cast<int>(boxes.size());
  const auto* index = kept.template find<boxes_by_place<N>>();
  if (index == nullptr && count > most_boxes_looked_at && kept.count_question() >= questions_before_index)
    index = &kept.template get<boxes_by_place<N>>([&] { return std::make_unique<const boxes_by_place<N>>(boxes); });
  if (index != nullptr) return index->first_around(at, count);
  return static_cast<int>(std::find_if(boxes.begin(), boxes.end(), [&](const auto& b) { return b.contains(at); }) -
                          boxes.begin());
}

}  // namespace

template <class Part>
Part basic_floor_plan<Part>::bounding_box() const
  requires of_boxes
{
  Part result;
  for (const auto& b : table_->parts) result = wherry::bounding_box(result, b);
  return result;
}

template <class Part>
int basic_floor_plan<Part>::box_of(const typename detail::part_words<Part>::point_in_it& at) const
  requires of_boxes
{
  const int place = first_around(at, boxes(), table_->index_of_boxes);
  return place < known() ? number_of(place) : -1;
}

template class basic_floor_plan<box<1>>;
template class basic_floor_plan<box<2>>;
template class basic_floor_plan<box<3>>;
template class basic_floor_plan<box<4>>;
template class basic_floor_plan<box<5>>;
template class basic_floor_plan<box<6>>;

}  // namespace wherry
