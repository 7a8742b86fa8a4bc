// The two hand-written broadcasts of the scene from MEL, listings 24 and 25: one message for each node, and all
// nodes packed into one buffer. Both call MPI_Alloc_mem for each node.
#include <memory>
#include <new>
#include <thread>
#include <utility>

#include "deep/peers.hpp"

namespace bench::deep {
namespace {

// begin: what a user writes (both)
tree_node* new_node() {
  void* memory = nullptr;
  MPI_Alloc_mem(sizeof(tree_node), MPI_INFO_NULL, &memory);
  return new (memory) tree_node;
}
// end

// begin: what a user writes (nodes)
template <class Value> void broadcast_vector(std::vector<Value>& values, int root, MPI_Comm comm) {
  int size = static_cast<int>(values.size());
  MPI_Bcast(&size, 1, MPI_INT, root, comm);
  values.resize(static_cast<std::size_t>(size));
  MPI_Bcast(values.data(), count_of(values.size() * sizeof(Value)), MPI_BYTE, root, comm);
}

void broadcast_nodes(scene& s, int root, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Bcast(&s.view, sizeof s.view, MPI_BYTE, root, comm);
  broadcast_vector(s.mesh, root, comm);
  broadcast_vector(s.materials, root, comm);
  if (rank != root) s.root = new_node();
  std::vector<tree_node*> open{s.root};
  while (!open.empty()) {
    tree_node* const node = open.back();
    open.pop_back();
    MPI_Bcast(node, sizeof *node, MPI_BYTE, root, comm);
    for (tree_node** child : {&node->left, &node->right}) {
      if (*child == nullptr) continue;  // the root's pointers have arrived and tell the existing children
      if (rank != root) *child = new_node();
      open.push_back(*child);
    }
  }
}
// end

// begin: what a user writes (packed)
template <class Value> std::size_t packed_size(const std::vector<Value>& values) {
  return sizeof(int) + values.size() * sizeof(Value);
}

template <class Value>
void pack_vector(const std::vector<Value>& values, char* buffer, int bytes, int& at, MPI_Comm comm) {
  const int size = static_cast<int>(values.size());
  MPI_Pack(&size, 1, MPI_INT, buffer, bytes, &at, comm);
  MPI_Pack(values.data(), count_of(values.size() * sizeof(Value)), MPI_BYTE, buffer, bytes, &at, comm);
}

template <class Value> void unpack_vector(std::vector<Value>& values, char* buffer, int bytes, int& at, MPI_Comm comm) {
  int size = 0;
  MPI_Unpack(buffer, bytes, &at, &size, 1, MPI_INT, comm);
  values.resize(static_cast<std::size_t>(size));
  MPI_Unpack(buffer, bytes, &at, values.data(), count_of(values.size() * sizeof(Value)), MPI_BYTE, comm);
}

std::size_t packed_size(const scene& s) {
  std::size_t bytes = sizeof s.view + packed_size(s.mesh) + packed_size(s.materials);
  std::vector<const tree_node*> open{s.root};
  while (!open.empty()) {
    const tree_node* const node = open.back();
    open.pop_back();
    bytes += sizeof *node;
    if (node->left != nullptr) open.push_back(node->left);
    if (node->right != nullptr) open.push_back(node->right);
  }
  return bytes;
}

void pack_scene(const scene& s, char* buffer, int bytes, MPI_Comm comm) {
  int at = 0;
  MPI_Pack(&s.view, sizeof s.view, MPI_BYTE, buffer, bytes, &at, comm);
  pack_vector(s.mesh, buffer, bytes, at, comm);
  pack_vector(s.materials, buffer, bytes, at, comm);
  std::vector<const tree_node*> open{s.root};
  while (!open.empty()) {
    const tree_node* const node = open.back();
    open.pop_back();
    MPI_Pack(node, sizeof *node, MPI_BYTE, buffer, bytes, &at, comm);
    if (node->left != nullptr) open.push_back(node->left);
    if (node->right != nullptr) open.push_back(node->right);
  }
}

void unpack_scene(scene& s, char* buffer, int bytes, MPI_Comm comm) {
  int at = 0;
  MPI_Unpack(buffer, bytes, &at, &s.view, sizeof s.view, MPI_BYTE, comm);
  unpack_vector(s.mesh, buffer, bytes, at, comm);
  unpack_vector(s.materials, buffer, bytes, at, comm);
  s.root = new_node();
  std::vector<tree_node*> open{s.root};
  while (!open.empty()) {
    tree_node* const node = open.back();
    open.pop_back();
    MPI_Unpack(buffer, bytes, &at, node, sizeof *node, MPI_BYTE, comm);
    for (tree_node** child : {&node->left, &node->right}) {
      if (*child == nullptr) continue;
      *child = new_node();
      open.push_back(*child);
    }
  }
}

void broadcast_buffer(scene& s, int root, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int bytes = rank == root ? count_of(packed_size(s)) : 0;
  MPI_Bcast(&bytes, 1, MPI_INT, root, comm);
  char* buffer = nullptr;
  MPI_Alloc_mem(bytes, MPI_INFO_NULL, &buffer);
  if (rank == root) pack_scene(s, buffer, bytes, comm);
  MPI_Bcast(buffer, bytes, MPI_BYTE, root, comm);
  if (rank != root) unpack_scene(s, buffer, bytes, comm);
  MPI_Free_mem(buffer);
}
// end

contender broadcasting(const std::string& name, const job<scene>& work, void (*broadcast)(scene&, int, MPI_Comm)) {
  const auto arrived = std::make_shared<scene>();
  return {name, "hand-written",
          [work, arrived, broadcast] {
            // The root's own scene is only read.
            broadcast(rank_in(work.comm) == 0 ? const_cast<scene&>(*work.original) : *arrived, 0, work.comm);
          },
          [arrived] {
            free_tree(arrived->root, [](tree_node* node) { MPI_Free_mem(node); });
            *arrived = scene();
          },
          [work, arrived] { return !receives(work.what, work.comm) || same(*work.original, *arrived); }};
}

/// Open MPI keeps its record of a piece of memory after the piece is freed. Between the nodes, these records would
/// scatter the later allocations of every method, which doubles the times of all. So enough records are made here, by a
/// thread, which has a heap of its own.
void make_records(const scene& s) {
  std::thread([pieces = bytes_of(s) / sizeof(tree_node)] {
    std::vector<void*> all(pieces);
    for (auto& piece : all) MPI_Alloc_mem(sizeof(tree_node), MPI_INFO_NULL, &piece);
    for (auto& piece : all) MPI_Free_mem(piece);
  }).join();
}

}  // namespace

contenders hand_written(const job<scene>& work) {
  if (work.what != operation::broadcast) return {};
  make_records(*work.original);
  return {broadcasting("MPI, a message a node", work, broadcast_nodes),
          broadcasting("MPI, packed", work, broadcast_buffer)};
}

}  // namespace bench::deep
