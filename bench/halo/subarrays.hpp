/// @file
/// One MPI datatype for a box of all fields, at absolute addresses.
#pragma once

#include "halo/problem.hpp"

namespace bench::halo {

// begin: what a user writes
inline MPI_Datatype subarrays(const problem& p, const cells& box) {
  const int whole[3] = {p.whole(0), p.whole(1), p.whole(2)};
  MPI_Datatype one, all;
  MPI_Type_create_subarray(3, whole, box.extent.data(), box.lower.data(), MPI_ORDER_FORTRAN, p.type(), &one);
  std::vector<MPI_Aint> places(p.field.size());
  for (std::size_t f = 0; f < places.size(); ++f) MPI_Get_address(p.field[f], &places[f]);
  MPI_Type_create_hindexed_block(static_cast<int>(places.size()), 1, places.data(), one, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&one);
  return all;
}
// end

}  // namespace bench::halo
