/// @file
/// The figures of one deep copy: the memory that it needed besides the structure itself.
#pragma once

#include <cstddef>

namespace wherry::deep {

/// The result of `send`, `bcast` and `pack`, and a part of the result of `receive`.
struct copy_statistics {
  /// Shared objects: each has an entry in the writer's pointer map and in the reader's table.
  std::size_t shared_objects = 0;
  std::size_t peak_pending = 0;   ///< the most objects and arrays that waited at the same time
  std::size_t working_bytes = 0;  ///< bytes of the map or table and of the stack; the stream's windows are not counted
};

}  // namespace wherry::deep
