// The properties on which a choice depends: all ranks of a call know them alike.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

namespace wherry::collective {

struct shape_of_call {
  kind what;
  /// The bytes of a block or, in broadcasts and reductions, of the vector; for blocks of different sizes, of all
  /// together. -1: not all ranks know them.
  std::int64_t bytes;
  std::int64_t element;  ///< bytes of one element of a reduction
  bool commutative;
};

/// The shape of a call among so many ranks.
shape_of_call shape_of(const call& what, int size);

}  // namespace wherry::collective
