#include <stack>

#include "hand_written.hpp"

namespace ray_scene {

// begin: what a user writes
namespace {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

template <class T> int bytes_of(const std::vector<T>& all) { return static_cast<int>(all.size() * sizeof(T)); }

struct scene_buffer {
  char* memory = nullptr;
  int size = 0, position = 0;
  MPI_Comm comm;

  void allocate() { MPI_Alloc_mem(size, MPI_INFO_NULL, &memory); }
  void pack(const void* from, int bytes) { MPI_Pack(from, bytes, MPI_BYTE, memory, size, &position, comm); }
  void unpack(void* to, int bytes) { MPI_Unpack(memory, size, &position, to, bytes, MPI_BYTE, comm); }
};

template <class Visit> void for_each_node(tree_node* root, Visit visit) {
  std::stack<tree_node*> pending;
  pending.push(root);
  while (!pending.empty()) {
    tree_node* node = pending.top();
    pending.pop();
    visit(node);
    if (node->left == nullptr) continue;
    pending.push(node->left);
    pending.push(node->right);
  }
}

template <class T> void pack_vector(scene_buffer& buffer, const std::vector<T>& all) {
  const int count = static_cast<int>(all.size());
  buffer.pack(&count, sizeof count);
  buffer.pack(all.data(), bytes_of(all));
}

template <class T> void unpack_vector(scene_buffer& buffer, std::vector<T>& all) {
  int count = 0;
  buffer.unpack(&count, sizeof count);
  all.resize(static_cast<std::size_t>(count));
  buffer.unpack(all.data(), bytes_of(all));
}

void pack_scene(scene_buffer& buffer, const scene& s) {
  buffer.pack(&s.view, sizeof(camera));
  pack_vector(buffer, s.mesh);
  pack_vector(buffer, s.materials);
  for_each_node(s.root, [&](tree_node* node) { buffer.pack(node, sizeof(tree_node)); });
}

template <class Memory> void unpack_scene(scene_buffer& buffer, scene& s) {
  buffer.unpack(&s.view, sizeof(camera));
  unpack_vector(buffer, s.mesh);
  unpack_vector(buffer, s.materials);
  s.root = Memory::node();
  for_each_node(s.root, [&](tree_node* node) {
    buffer.unpack(node, sizeof(tree_node));
    if (node->left == nullptr) return;
    node->left = Memory::node();
    node->right = Memory::node();
  });
}

}  // namespace

template <class Memory> void broadcast_buffered_by_hand(scene& s, int root, MPI_Comm comm) {
  const bool sends = rank_in(comm) == root;
  scene_buffer buffer{.comm = comm};
  if (sends) {
    buffer.size = static_cast<int>(sizeof(camera) + 2 * sizeof(int)) + bytes_of(s.mesh) + bytes_of(s.materials);
    for_each_node(s.root, [&](tree_node*) { buffer.size += static_cast<int>(sizeof(tree_node)); });
  }
  MPI_Bcast(&buffer.size, 1, MPI_INT, root, comm);
  buffer.allocate();
  if (sends) pack_scene(buffer, s);
  MPI_Bcast(buffer.memory, buffer.size, MPI_PACKED, root, comm);
  if (!sends) unpack_scene<Memory>(buffer, s);
  MPI_Free_mem(buffer.memory);
}
// end

template void broadcast_buffered_by_hand<mpi_memory>(scene&, int, MPI_Comm);
template void broadcast_buffered_by_hand<heap_memory>(scene&, int, MPI_Comm);

}  // namespace ray_scene
