/// @file
/// The ways to broadcast a graph.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "graph.hpp"

namespace graph {

struct method {
  std::string name, text;                           ///< as the command line says it, and in words
  std::function<void(node*&, MPI_Comm)> broadcast;  ///< from rank 0; collective; null before on the others
  std::function<void(node*&)> release;              ///< what arrived; null afterwards
};

/// The library's first.
const std::vector<method>& methods();

/// This rank's graph in a file of its own.
void write_checkpoint(const std::string& file, node* first);
node* read_checkpoint(const std::string& file);

/// The graphs of all ranks in one file. Collective; as many ranks read as have written.
void write_together(const std::string& file, node* first, MPI_Comm comm);
node* read_together(const std::string& file, MPI_Comm comm);

/// Frees the nodes one by one, along their description.
void release(node*& first);

}  // namespace graph
