// Through a const x-array nothing is written.
#include "wherry/motion/x_array.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
void use(const wherry::x_array<double, 1>& u) { u[0](0) = 1; }
#else
void use(wherry::x_array<double, 1>& u) { u[0](0) = 1; }
#endif

// What is read of it is the same either way.
double read(const wherry::x_array<double, 1>& u) {
  double sum = 0;
  for (const auto& [number, cells, values] : u.blocks()) sum += values[cells.lower] + u[number](0);
  return sum;
}
