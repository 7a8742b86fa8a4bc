// MPI's own operations: what they are called, and for which of MPI's own datatypes MPI defines them (MPI-3.1, 5.9.2
// and 5.9.4).
#pragma once

#include <mpi.h>

#include <string_view>

namespace wherry::collective {

/// Its place among MPI's own, the same on all ranks and in all languages, from 1; `users_operation` for all others.
int place_of(MPI_Op op);
inline constexpr int users_operation = 15;
/// "MPI_SUM", by its place; or "a user's".
std::string_view name_of_operation(int place);

/// Whether MPI defines it for elements of this type. A user's operation is, for all; and nobody but MPI knows the types
/// that MPI has beside those of its standard.
bool is_defined_for(MPI_Op op, MPI_Datatype type);

}  // namespace wherry::collective
