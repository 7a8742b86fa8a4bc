// Two strided blocks that are walked together.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wherry/plan/copy_engine.hpp"

namespace wherry::detail {

/// The shape during its construction. It is kept as a head and as many loops as it has.
struct joint_shape {
  static constexpr int most_loops = 8;
  joint_head head;
  joint_loop loop[most_loops];
};

}  // namespace wherry::detail
