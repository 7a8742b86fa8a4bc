// A motion may begin in a const x-array, and not end there.
#include "wherry/motion/mover.hpp"

using array = wherry::x_array<double, 1>;

#ifdef WHERRY_MUST_NOT_COMPILE
void use(const wherry::motion_plan<1>& plan, array& u, const array& v) { wherry::mover move(plan, u, v); }
#else
void use(const wherry::motion_plan<1>& plan, const array& u, array& v) { wherry::mover move(plan, u, v); }
#endif
