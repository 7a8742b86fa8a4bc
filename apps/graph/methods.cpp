#include "methods.hpp"

#include "wherry/wherry.hpp"

#include "hand_written.hpp"

namespace graph {
namespace {

// begin: what a user writes
void broadcast(node*& first, MPI_Comm comm) { wherry::deep::bcast(comm, first, 0); }
// end

void broadcast_buffered(node*& first, MPI_Comm comm) { wherry::deep::bcast(comm, first, 0, {.buffered = true}); }

/// All arriving nodes lie in one piece of memory, which the next graph uses again.
wherry::deep::arena& nodes() {
  static wherry::deep::arena memory;
  return memory;
}

void broadcast_into_arena(node*& first, MPI_Comm comm) { wherry::deep::bcast(comm, first, 0, {.arena = &nodes()}); }

void release_arena(node*& first) {
  first = nullptr;
  nodes().clear();
}

void release_by_hand(node*& first) {
  if (first != nullptr) destroy_graph(first);
  first = nullptr;
}

}  // namespace

void write_checkpoint(const std::string& file, node* first) { wherry::deep::write(file, first); }

node* read_checkpoint(const std::string& file) { return wherry::deep::read<node*>(file); }

void write_together(const std::string& file, node* first, MPI_Comm comm) { wherry::deep::save_all(comm, file, first); }

node* read_together(const std::string& file, MPI_Comm comm) {
  return wherry::deep::load_all<node*>(comm, file).front().object;
}

void release(node*& first) {
  wherry::deep::destroy(first);
  first = nullptr;
}

const std::vector<method>& methods() {
  static const std::vector<method> all{
      {"wherry", "Wherry", broadcast, release},
      {"buffered", "Wherry, buffered", broadcast_buffered, release},
      {"arena", "Wherry, into an arena", broadcast_into_arena, release_arena},
      {"hand", "MPI by hand", [](node*& first, MPI_Comm comm) { broadcast_by_hand(first, 0, comm); }, release_by_hand},
  };
  return all;
}

}  // namespace graph
