// MPI's predefined datatypes, by the sort of value that they hold.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

namespace wherry::collective {

/// The standard has MPI_CHAR for printable text; both families of MPIs treat it as a small integer.
enum class sort_of_value : std::uint8_t {
  floating,
  with_sign,
  without_sign,
  character,
  complex,
  logical,
  bytes,
  pair,
  other
};

struct predefined_type {
  MPI_Datatype type;  ///< MPI_DATATYPE_NULL if this MPI does not have it, for example without Fortran
  sort_of_value holds;
};

/// The types that the standard names. Several may have the same handle.
std::span<const predefined_type> predefined_types();

}  // namespace wherry::collective
