#include "hand_written.hpp"

#include <stack>

namespace ray_scene {

// begin: what a user writes
tree_node* mpi_memory::node() {
  void* memory = nullptr;
  MPI_Alloc_mem(sizeof(tree_node), MPI_INFO_NULL, &memory);
  return new (memory) tree_node;
}

namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

template <class T> int bytes_of(const std::vector<T>& all) { return static_cast<int>(all.size() * sizeof(T)); }

}  // namespace

template <class Memory> void broadcast_by_hand(scene& s, int root, MPI_Comm comm) {
  const bool receives = rank_in(comm) != root;
  MPI_Bcast(&s.view, sizeof(camera), MPI_BYTE, root, comm);
  int sizes[2] = {static_cast<int>(s.mesh.size()), static_cast<int>(s.materials.size())};
  MPI_Bcast(sizes, 2, MPI_INT, root, comm);
  if (receives) {
    s.mesh.resize(static_cast<std::size_t>(sizes[0]));
    s.materials.resize(static_cast<std::size_t>(sizes[1]));
    s.root = Memory::node();
  }
  MPI_Bcast(s.mesh.data(), bytes_of(s.mesh), MPI_BYTE, root, comm);
  MPI_Bcast(s.materials.data(), bytes_of(s.materials), MPI_BYTE, root, comm);
  std::stack<tree_node*> pending;
  pending.push(s.root);
  while (!pending.empty()) {
    tree_node* node = pending.top();
    pending.pop();
    MPI_Bcast(node, sizeof(tree_node), MPI_BYTE, root, comm);
    if (node->left == nullptr) continue;  // a receiver has the sender's address: there is a child
    if (receives) {
      node->left = Memory::node();
      node->right = Memory::node();
    }
    pending.push(node->left);
    pending.push(node->right);
  }
}
// end

template <class Memory> void free_by_hand(scene& s) {
  std::stack<tree_node*> pending;
  if (s.root != nullptr) pending.push(s.root);
  while (!pending.empty()) {
    tree_node* node = pending.top();
    pending.pop();
    if (node->left != nullptr) {
      pending.push(node->left);
      pending.push(node->right);
    }
    Memory::free(node);
  }
  s = {};
}

template void broadcast_by_hand<mpi_memory>(scene&, int, MPI_Comm);
template void broadcast_by_hand<heap_memory>(scene&, int, MPI_Comm);
template void free_by_hand<mpi_memory>(scene&);
template void free_by_hand<heap_memory>(scene&);

}  // namespace ray_scene
