#include "kernels.hpp"

namespace wherry::kernels {

copy_kernel choose(const joint_shape& shape) {
  return with_run(shape.run, [&]<class Run>() -> copy_kernel {
    if (shape.loops == 0) return no_loop<Run>;
    if (shape.loops == 1) return one_loop<Run>;
    if (shape.loops == 2 && shape.tile == 0) return two_loops<Run>;
    return many_loops<Run>;
  });
}

}  // namespace wherry::kernels
