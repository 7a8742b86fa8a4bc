/// @file
/// Sends and receives memory that an MPI datatype describes, with `alltoall_exchange` and `buffer_exchange` (GCL,
/// section 3: `Halo_Exchange_3D_DT`).
///
///     exchange.send_to<0, 1>(mpi_buffer(array, 1, face));
///
/// A section of an array does not need a datatype: `section_of` (transfer.hpp) describes it, and Wherry copies it with
/// its own loops instead of MPI_Pack.
#pragma once

#include <mpi.h>

#include "wherry/halo/transfer.hpp"

namespace wherry {

/// `count` elements of a committed MPI datatype. The two sides of a transfer must have the same number of bytes, but
/// may have different datatypes. The constructor duplicates the datatype, so its handle may be freed at once. Local.
struct mpi_buffer {
  /// @param pointer the first element, or MPI_BOTTOM; the memory must outlive the exchanges
  /// @throws error(mpi) if MPI refuses the datatype. Other errors are kept in `problem` and reported by `commit`.
  mpi_buffer(const void* pointer, int count, MPI_Datatype type);

  user_structure structure;
  index_t bytes = 0;    ///< size of the packed data
  std::string problem;  ///< why the buffer cannot travel; empty if it can
};

}  // namespace wherry
