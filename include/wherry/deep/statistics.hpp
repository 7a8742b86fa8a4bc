/// @file
/// What a deep copy needed besides the structure itself.
#pragma once

#include <cstddef>

namespace wherry::deep {

struct statistics {
  /// Objects with an identity: an entry each of the writer's map, of the reader's table.
  std::size_t shared_objects = 0;
  std::size_t peak_pending = 0;   ///< objects and arrays that waited at the same time
  std::size_t working_bytes = 0;  ///< of map or table and of what waited; the stream's windows are not among them
};

}  // namespace wherry::deep
