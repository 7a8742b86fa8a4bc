// Nor are the values of a const index array.
#include "wherry/motion/index_mover.hpp"

using array = wherry::index_array<double>;

#ifdef WHERRY_MUST_NOT_COMPILE
void use(const wherry::index_motion_plan<>& plan, array& u, const array& v) { wherry::mover move(plan, u, v); }
#else
void use(const wherry::index_motion_plan<>& plan, const array& u, array& v) { wherry::mover move(plan, u, v); }
#endif
