// A scene broadcast by hand, as MEL's listings 24 and 25 do it: with MPI_Alloc_mem for every node, so that scenes
// of both origins are freed by the same calls.
#pragma once

#include <stack>

#include "compat/mpi/mel_scene.hpp"

inline void newNode(TreeNode*& node) {
  MPI_Alloc_mem(sizeof(TreeNode), MPI_INFO_NULL, &node);
  ::new (static_cast<void*>(node)) TreeNode();
}

// `move(p, bytes)` brings bytes from the root to all others, or packs them there and unpacks them here.
template <class Move> void moveScene(Scene& scene, bool source, Move move) {
  move(&scene.camera, sizeof(Camera));
  int sizes[2] = {static_cast<int>(scene.mesh.size()), static_cast<int>(scene.materials.size())};
  move(sizes, sizeof sizes);
  scene.mesh.resize(static_cast<std::size_t>(sizes[0]));
  scene.materials.resize(static_cast<std::size_t>(sizes[1]));
  move(scene.mesh.data(), sizeof(Triangle) * scene.mesh.size());
  move(scene.materials.data(), sizeof(Material) * scene.materials.size());
  if (!source) newNode(scene.rootNode);
  std::stack<TreeNode*> treeStack;
  treeStack.push(scene.rootNode);
  while (!treeStack.empty()) {
    TreeNode* currentNode = treeStack.top();
    treeStack.pop();
    move(static_cast<void*>(currentNode), sizeof(TreeNode));
    if (currentNode->leftChild == nullptr) continue;
    if (!source) {
      newNode(currentNode->leftChild);
      newNode(currentNode->rightChild);
    }
    treeStack.push(currentNode->leftChild);
    treeStack.push(currentNode->rightChild);
  }
}

inline void newScene(Scene*& scene) {
  MPI_Alloc_mem(sizeof(Scene), MPI_INFO_NULL, &scene);
  ::new (static_cast<void*>(scene)) Scene();
}

inline void MPI_NonBufferedBcast_Scene(Scene*& scene, const int root, const MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank != root) newScene(scene);
  moveScene(*scene, rank == root,
            [&](void* p, std::size_t bytes) { MPI_Bcast(p, static_cast<int>(bytes), MPI_CHAR, root, comm); });
}

inline void MPI_BufferedBcast_Scene(Scene*& scene, const int root, const MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  int size = 0;
  if (rank == root) moveScene(*scene, true, [&](void*, std::size_t bytes) { size += static_cast<int>(bytes); });
  MPI_Bcast(&size, 1, MPI_INT, root, comm);
  char* buffer;
  MPI_Alloc_mem(size, MPI_INFO_NULL, &buffer);
  int position = 0;
  if (rank == root)
    moveScene(*scene, true, [&](void* p, std::size_t bytes) {
      MPI_Pack(p, static_cast<int>(bytes), MPI_CHAR, buffer, size, &position, comm);
    });
  MPI_Bcast(buffer, size, MPI_CHAR, root, comm);
  if (rank != root) {
    newScene(scene);
    moveScene(*scene, false, [&](void* p, std::size_t bytes) {
      MPI_Unpack(buffer, size, &position, p, static_cast<int>(bytes), MPI_CHAR, comm);
    });
  }
  MPI_Free_mem(buffer);
}
