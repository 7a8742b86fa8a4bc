// MEL, listing 26: mel_graph_program LOG2_OF_NODES TYPE
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "compat/mpi/mel_graph.hpp"

int main(int argc, char* argv[]) {
  MEL::Init(argc, argv);  // Setup

  MEL::Comm comm = MEL::Comm::WORLD;
  const int rank = MEL::CommRank(comm), size = MEL::CommSize(comm);

  if (argc != 3) {
    if (rank == 0) std::cout << "Wrong number of parameters..." << std::endl;
    MEL::Exit(-1);
  }

  const int numNodes = 1 << std::stoi(argv[1]),  // 2^n nodes
      graphType = std::stoi(argv[2]);

  DiGraphNode<int>* graph = nullptr;
  if (rank == 0) {
    switch (graphType) {
      case 0:
        graph = MakeBTreeGraph(numNodes);
        break;
      case 1:
        graph = MakeRingGraph(numNodes);
        break;
      case 2:
        graph = MakeRandomGraph(numNodes);
        break;
      case 3:
        graph = MakeFullyConnectedGraph(numNodes);
        break;
    }
  }

  MEL::Barrier(comm);
  auto startTime = MEL::Wtime();  // Start the clock!

  // Deep copy the graph to all nodes
  MEL::Deep::Bcast(graph, 0, comm);

  MEL::Barrier(comm);
  auto endTime = MEL::Wtime();  // Stop the clock!

  if (rank == 0) {
    std::cout << "Broadcast Graph in " << (endTime - startTime) << " seconds..." << std::endl;
  }

  // File name for output
  std::stringstream sstr;
  sstr << "rank=" << rank << " type=" << graphType << " nodes=" << numNodes << ".graph";

  // Save the output to disk from each node
  std::ofstream graphFile(sstr.str(), std::ios::out | std::ios::binary);
  if (graphFile.is_open()) {
    MEL::Deep::FileWrite(graph, graphFile);
    graphFile.close();
  }

  // Read back, it is the root's.
  DiGraphNode<int>* again = nullptr;
  std::ifstream saved(sstr.str(), std::ios::in | std::ios::binary);
  MEL::Deep::FileRead(again, saved);
  saved.close();
  std::remove(sstr.str().c_str());
  std::vector<int> roots = shape(graph);
  MEL::Deep::Bcast(roots, 0, comm);
  int same = shape(again) == roots ? 1 : 0, all = 0;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_SUM, (MPI_Comm)comm);
  if (rank == 0) std::cout << all << " of " << size << " files hold the graph" << std::endl;

  DestructGraph(again);
  DestructGraph(graph);
  MEL::Finalize();
  return 0;
}
