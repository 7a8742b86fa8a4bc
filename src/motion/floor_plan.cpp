#include "wherry/motion/floor_plan.hpp"

#include "wherry/geometry/box_calculus.hpp"

namespace wherry {

template <class Part>
Part basic_floor_plan<Part>::bounding_box() const
  requires of_boxes
{
  Part result;
  for (const auto& b : table_->parts) result = wherry::bounding_box(result, b);
  return result;
}

template class basic_floor_plan<box<1>>;
template class basic_floor_plan<box<2>>;
template class basic_floor_plan<box<3>>;
template class basic_floor_plan<box<4>>;
template class basic_floor_plan<box<5>>;
template class basic_floor_plan<box<6>>;

}  // namespace wherry
