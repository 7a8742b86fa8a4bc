// An element travels as bytes.
#include "wherry/motion/mover.hpp"

struct plain {
  double part[3];
};
struct owning : plain {
  ~owning() {}
};
#ifdef WHERRY_MUST_NOT_COMPILE
using element = owning;
#else
using element = plain;
#endif

void move(const wherry::communicator& comm, const wherry::floor_plan<2>& plan, const wherry::motion_plan<2>& motion) {
  wherry::x_array<element, 2> u(comm, plan), v(comm, plan);
  wherry::mover(motion, u, v)();
}
