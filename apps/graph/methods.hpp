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
  std::string name, text;                           ///< the name on the command line, and a description
  std::function<void(node*&, MPI_Comm)> broadcast;  ///< from rank 0; collective; the pointer must be null on the others
  std::function<void(node*&)> release;              ///< frees the graph that arrived; the pointer is null afterwards
};

/// All methods; the library's come first.
const std::vector<method>& methods();

/// These functions write this rank's graph to a file of its own and read it back.
void write_checkpoint(const std::string& file, node* first);
node* read_checkpoint(const std::string& file);

/// These functions write the graphs of all ranks to one file and read them back. Collective; as many ranks read as have
/// written.
void write_together(const std::string& file, node* first, MPI_Comm comm);
node* read_together(const std::string& file, MPI_Comm comm);

/// Frees the nodes one by one, along their description.
void release(node*& first);

}  // namespace graph
