// Blocks as MPI derived datatypes.
#pragma once

#include <cstdint>

#include "wherry/core/mpi.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The bytes of a strided or indexed block in wire order, relative to its field's pointer plus `block_origin(b)`. The
/// type is not committed. Counts may exceed an int: such counts become nested types.
detail::unique_datatype block_datatype(const plans::block& b, const plans::schedule& plan);

/// The offset from the field's pointer to which the displacements of an indexed block and the loops of a strided block
/// are relative.
constexpr std::int64_t block_origin(const plans::block& b) {
  return b.kind == plans::block::form::called ? 0 : b.offset;
}

}  // namespace wherry
