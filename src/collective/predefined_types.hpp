// MPI's predefined datatypes, by the kind of element that they hold.
#pragma once

#include <mpi.h>

#include <span>

#include "wherry/plan/element.hpp"

namespace wherry::collective {

struct predefined_type {
  MPI_Datatype type;          ///< MPI_DATATYPE_NULL if this MPI does not have it, for example without Fortran
  plans::element_kind holds;  ///< `users` for types on which MPI defines at most MPI_MAXLOC and MPI_MINLOC
  bool pair = false;          ///< a number and its place, for these two
};

/// The types that the standard names. Several may have the same handle.
std::span<const predefined_type> predefined_types();

}  // namespace wherry::collective
