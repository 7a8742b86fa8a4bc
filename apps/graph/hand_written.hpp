/// @file
/// The broadcast of a graph, written by hand on MPI: nodes get numbers, and three arrays travel.
#pragma once

#include <mpi.h>

#include "graph.hpp"

namespace graph {

/// Collective; `first` is null on all ranks but `root`. For graphs below 2^31 nodes and edges.
void broadcast_by_hand(node*& first, int root, MPI_Comm comm);

}  // namespace graph
