/// @file
/// The broadcast of a graph, written by hand with MPI: the nodes get numbers, and three arrays travel.
#pragma once

#include <mpi.h>

#include "graph.hpp"

namespace graph {

/// Collective; `first` is null on all ranks but `root`. The graph must have fewer than 2^31 nodes and edges.
void broadcast_by_hand(node*& first, int root, MPI_Comm comm);

}  // namespace graph
