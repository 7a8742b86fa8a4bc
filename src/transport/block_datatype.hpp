// Blocks as MPI derived datatypes.
#pragma once

#include <cstdint>

#include "wherry/core/mpi.hpp"
#include "wherry/plan/schedule.hpp"

namespace wherry {

/// The bytes of a strided or indexed block in wire order, relative to its field's pointer plus `block_origin(b)`. Not
/// committed. Any count is right: what exceeds an int is nested.
unique_datatype block_datatype(const block& b, const schedule& plan);

/// What an indexed block's displacements, and a strided block's loops, are relative to.
constexpr std::int64_t block_origin(const block& b) { return b.kind == block::form::called ? 0 : b.offset; }

}  // namespace wherry
