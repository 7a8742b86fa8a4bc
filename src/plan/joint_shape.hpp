// Two strided blocks walked together.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wherry/plan/copy_engine.hpp"

namespace wherry::detail {

/// While it is made; kept as a head and as many loops as there are.
struct joint_shape {
  static constexpr int most_loops = 8;
  joint_head head;
  joint_loop loop[most_loops];
};

}  // namespace wherry::detail
