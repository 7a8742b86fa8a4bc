// Through a const index array nothing is written.
#include "wherry/motion/index_array.hpp"

#ifdef WHERRY_MUST_NOT_COMPILE
void use(const wherry::index_array<double>& u) { u[0](0) = 1; }
#else
void use(wherry::index_array<double>& u) { u[0](0) = 1; }
#endif

// What is read of it is the same either way.
double read(const wherry::index_array<double>& u) {
  double sum = 0;
  for (const auto& [number, nodes, values] : u.parts()) sum += values(0) + u[number](0);
  return sum;
}
