/// @file
/// MPI's datatypes for numbers, and reductions by MPI's operations: those that MPI names, and those that a program has
/// made with MPI_Op_create. Halos, movers, index lists, groups of ranks and the typed collectives take them.
///
///     wherry::halo_exchange back(grid, {.reverse = true, .update = wherry::reduction_of<double>(MPI_SUM)}, u);
///     const cell joined = wherry::collective::allreduce(comm, mine, wherry::reduction_of<cell>(my_op));
#pragma once

#include <mpi.h>

#include <bit>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "wherry/core/mpi.hpp"
#include "wherry/plan/reduction.hpp"

namespace wherry::collective::detail {

/// MPI's datatype for numbers of type `T`, or MPI_DATATYPE_NULL.
template <class T> MPI_Datatype number_datatype() {
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
  if constexpr (std::is_same_v<T, long double>) return MPI_LONG_DOUBLE;
  if constexpr (std::is_same_v<T, bool>) return MPI_C_BOOL;
  if constexpr (wherry::detail::is_complex<T>) {
    if constexpr (std::is_same_v<typename T::value_type, float>) return MPI_C_FLOAT_COMPLEX;
    if constexpr (std::is_same_v<typename T::value_type, double>) return MPI_C_DOUBLE_COMPLEX;
    if constexpr (std::is_same_v<typename T::value_type, long double>) return MPI_C_LONG_DOUBLE_COMPLEX;
  }
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
    const MPI_Datatype with_sign[] = {MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T},
                       without[] = {MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T};
    return (std::is_signed_v<T> ? with_sign : without)[std::bit_width(sizeof(T)) - 1];
  }
  return MPI_DATATYPE_NULL;
}

/// The MPI datatype of `T`: a predefined one, or a contiguous type of bytes that lives as long as this object.
template <class T> class datatype {
 public:
  datatype() {
    if (number_datatype<T>() != MPI_DATATYPE_NULL) return;
    MPI_Datatype fresh = MPI_DATATYPE_NULL;
    check_mpi(PMPI_Type_contiguous(static_cast<int>(sizeof(T)), MPI_BYTE, &fresh), "MPI_Type_contiguous");
    made_ = wherry::detail::unique_datatype(fresh);
    check_mpi(PMPI_Type_commit(&fresh), "MPI_Type_commit");
  }
  MPI_Datatype get() const { return made_ ? made_.get() : number_datatype<T>(); }

 private:
  wherry::detail::unique_datatype made_;
};

/// MPI's name for an operation that Wherry knows, or MPI_OP_NULL.
inline MPI_Op mpi_op_of(plans::known_operation what) {
  const MPI_Op in_order[] = {MPI_OP_NULL, MPI_SUM, MPI_MIN,  MPI_MAX,  MPI_OP_NULL, MPI_PROD,
                             MPI_BAND,    MPI_BOR, MPI_BXOR, MPI_LAND, MPI_LOR};
  return in_order[static_cast<std::size_t>(what)];
}

/// @param datatype of an element; `owner` keeps it
plans::typed_reduction reduction_by_mpi(MPI_Op op, const plans::element_type& type, std::size_t bytes,
                                        MPI_Datatype datatype, std::shared_ptr<const void> owner);

}  // namespace wherry::collective::detail

namespace wherry {

/// The reduction of elements of type `T` by an operation of MPI. Local. MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND,
/// MPI_BOR, MPI_BXOR, MPI_LAND and MPI_LOR are the operations that Wherry knows (plan/reduction.hpp), so they run on
/// devices and treat NaNs as `minimum` and `maximum` do. MPI_Reduce_local applies any other operation: an element
/// `there` becomes `there (op) arrived`. `op` must not be freed as long as the reduction is used. The ranks cannot
/// compare operations of users, so all of them must give the same one.
/// @throws error(argument) if the operation has no meaning for the elements
template <class T> plans::typed_reduction reduction_of(MPI_Op op) {
  const auto type = std::make_shared<const collective::detail::datatype<T>>();
  return collective::detail::reduction_by_mpi(op, plans::element_of<T>(), sizeof(T), type->get(), type);
}

}  // namespace wherry
