/// @file
/// The right-hand side of NAS MG: +1 in the ten cells with the largest random numbers, -1 in the ten with the smallest.
#pragma once

#include <mpi.h>

#include "wherry/wherry.hpp"

#include "kernels.hpp"

namespace nas_mg {

/// Collective. Cells are numbered with x fastest over the whole n^3 grid; `mine` is the box of this rank's cells in
/// global indices.
void fill_right_hand_side(MPI_Comm comm, const brick& v, const wherry::box<3>& mine, long n);

}  // namespace nas_mg
