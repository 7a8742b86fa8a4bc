// MEL, listing 22: mel_scene_program MESH.obj METHOD
#include <iostream>
#include <string>

#include "compat/mpi/mel_by_hand.hpp"

int main(int argc, char* argv[]) {
  MEL::Init(argc, argv);  // Setup

  // Who are we?
  MEL::Comm comm = MEL::Comm::WORLD;
  const int rank = MEL::CommRank(comm), size = MEL::CommSize(comm);

  // Check param count
  if (argc != 3) {
    if (rank == 0) std::cout << "Wrong number of parameters..." << std::endl;
    MEL::Exit(-1);
  }

  const std::string meshPath = std::string(argv[1]);
  const int method = std::stoi(argv[2]);

  // Load the scene on the root process
  Scene* scene = nullptr;
  if (rank == 0) {
    std::cout << "Loading scene..." << std::endl;
    scene = loadScene(meshPath);
  }

  MEL::Barrier(comm);
  auto startTime = MEL::Wtime();  // Start the clock!

  switch (method) {
    case 0:
      MEL::Deep::Bcast(scene, 0, comm);
      break;
    case 1:
      MEL::Deep::BufferedBcast(scene, 0, comm);
      break;
    case 2:
      MPI_NonBufferedBcast_Scene(scene, 0, (MPI_Comm)comm);
      break;
    case 3:
      MPI_BufferedBcast_Scene(scene, 0, (MPI_Comm)comm);
      break;
    default:
      if (rank == 0) std::cout << "Invalid method index..." << std::endl;
      MEL::Exit(-1);
  }

  MEL::Barrier(comm);
  auto endTime = MEL::Wtime();  // Stop the clock!

  if (rank == 0) {
    std::cout << "Broadcast Scene in " << (endTime - startTime) << " seconds..." << std::endl;
  }

  // In place of the ray tracing: all ranks have the figures of the root's scene.
  const std::vector<double> mine = figures(*scene);
  std::vector<double> roots = mine;
  MEL::Deep::Bcast(roots, 0, comm);
  int same = mine == roots ? 1 : 0, all = 0;
  MPI_Allreduce(&same, &all, 1, MPI_INT, MPI_SUM, (MPI_Comm)comm);
  if (rank == 0) std::cout << all << " of " << size << " ranks see " << scene->mesh.size() << " triangles" << std::endl;

  // Clean up
  MEL::MemDestruct(scene);

  MEL::Finalize();  // Tear down
  return 0;
}
