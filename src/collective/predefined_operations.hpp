// MPI's predefined operations: their names, and the predefined datatypes for which MPI defines them (MPI-3.1, 5.9.2 and
// 5.9.4).
#pragma once

#include <mpi.h>

#include <string_view>

#include "wherry/plan/typed_reduction.hpp"

namespace wherry::collective {

/// The place of an operation among MPI's own, from 1, the same on all ranks and in all languages; `users_operation` for
/// any other.
int place_of(MPI_Op op);
inline constexpr int users_operation = 15;
/// The name of an operation by its place, such as "MPI_SUM", or "a user's".
std::string_view name_of_operation(int place);

/// The operation of Wherry with the same effect, or `none`.
plans::known_operation known_by_mpi(MPI_Op op);

/// True if MPI defines the operation for elements of this type. A user's operation is defined for all types. So is any
/// operation for types that an MPI has beside those of the standard, because only that MPI knows them.
bool is_defined_for(MPI_Op op, MPI_Datatype type);

}  // namespace wherry::collective
