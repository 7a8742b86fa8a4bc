// What a choice depends on: what all ranks of a call know alike.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct shape_of_call {
  kind what;
  /// Of a block or, in broadcasts and reductions, of the vector; of blocks that are not alike, of all together. -1:
  /// not all ranks know.
  std::int64_t bytes;
  std::int64_t element;  ///< bytes of an element that is reduced
  bool commutative;

  bool operator==(const shape_of_call&) const = default;
};

}  // namespace wherry::collective
