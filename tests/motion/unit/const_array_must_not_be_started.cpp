// Nor where another array takes the place of the one that was bound.
#include "wherry/motion/mover.hpp"

using array = wherry::x_array<double, 1>;

#ifdef WHERRY_MUST_NOT_COMPILE
void use(wherry::mover& move, array& u, const array& v) { move.start(u, v); }
#else
void use(wherry::mover& move, const array& u, array& v) { move.start(u, v); }
#endif
