/// @file
/// Memory that an MPI datatype describes, as something to send or receive (paper 1, section 3: `Halo_Exchange_3D_DT`).
#pragma once

#include <mpi.h>

#include "wherry/halo/transfer.hpp"

namespace wherry {

/// `count` elements of a committed `type` at `pointer`, which may be MPI_BOTTOM. For `all_to_all` and
/// `buffer_exchange`:
///     exchange.send_to<0, 1>(mpi_buffer(array, 1, face));
/// Both sides need the same bytes, not the same type. The type is kept alive; its handle may be freed at once.
struct mpi_buffer {
  mpi_buffer(const void* pointer, int count, MPI_Datatype type);

  user_structure structure;
  index_t bytes = 0;    ///< packed
  std::string problem;  ///< why it cannot travel
};

}  // namespace wherry
