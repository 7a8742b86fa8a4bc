/// @file
/// One MPI datatype for a box of all three fields, at absolute addresses.
#pragma once

#include "halo/problem.hpp"

namespace bench::halo {

// begin: what a user writes
inline MPI_Datatype subarrays(const problem& p, const cells& box) {
  const int whole[3] = {p.whole(), p.whole(), p.whole()};
  MPI_Datatype one, all;
  MPI_Type_create_subarray(3, whole, box.extent.data(), box.lower.data(), MPI_ORDER_FORTRAN, MPI_DOUBLE, &one);
  int lengths[fields];
  MPI_Aint places[fields];
  MPI_Datatype types[fields];
  for (int f = 0; f < fields; ++f) {
    lengths[f] = 1;
    MPI_Get_address(p.field[static_cast<std::size_t>(f)], &places[f]);
    types[f] = one;
  }
  MPI_Type_create_struct(fields, lengths, places, types, &all);
  MPI_Type_commit(&all);
  MPI_Type_free(&one);
  return all;
}
// end

}  // namespace bench::halo
