// Nor in an x-array of const elements, or a list's.
#include "wherry/motion/mover.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
using array = wherry::x_array<const double, 1>;
#else
using array = wherry::x_array<double, 1>;
#endif

void use(const wherry::motion_plan<1>& plan, const wherry::x_array<const double, 1>& u, array& v) {
  wherry::mover move({{plan, u, v}});
}
