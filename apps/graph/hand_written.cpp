#include "hand_written.hpp"

#include <unordered_map>

namespace graph {

// begin: what a user writes
namespace {

struct flat_graph {
  std::vector<int> values, degrees, targets;
};

flat_graph flatten(node* first) {
  flat_graph flat;
  std::vector<const node*> nodes{first};
  std::unordered_map<const node*, int> numbers{{first, 0}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const node* one = nodes[i];
    flat.values.push_back(one->value);
    flat.degrees.push_back(static_cast<int>(one->edges.size()));
    for (const node* target : one->edges) {
      const auto [found, is_new] = numbers.try_emplace(target, static_cast<int>(nodes.size()));
      if (is_new) nodes.push_back(target);
      flat.targets.push_back(found->second);
    }
  }
  return flat;
}

node* unfold(const flat_graph& flat) {
  std::vector<node*> nodes;
  for (const int value : flat.values) nodes.push_back(new node{value, {}});
  const int* target = flat.targets.data();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->edges.reserve(static_cast<std::size_t>(flat.degrees[i]));
    for (int k = 0; k < flat.degrees[i]; ++k) nodes[i]->edges.push_back(nodes[static_cast<std::size_t>(*target++)]);
  }
  return nodes.front();
}

void broadcast_array(std::vector<int>& all, int root, MPI_Comm comm) {
  int count = static_cast<int>(all.size());
  MPI_Bcast(&count, 1, MPI_INT, root, comm);
  all.resize(static_cast<std::size_t>(count));
  MPI_Bcast(all.data(), count, MPI_INT, root, comm);
}

}  // namespace

void broadcast_by_hand(node*& first, int root, MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  flat_graph flat;
  if (rank == root) flat = flatten(first);
  broadcast_array(flat.values, root, comm);
  broadcast_array(flat.degrees, root, comm);
  broadcast_array(flat.targets, root, comm);
  if (rank != root) first = unfold(flat);
}
// end

}  // namespace graph
