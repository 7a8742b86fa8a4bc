#include "methods.hpp"

#include "wherry/wherry.hpp"

#include "hand_written.hpp"

namespace ray_scene {
namespace {

// begin: what a user writes
void broadcast(scene& s, MPI_Comm comm) { wherry::deep::bcast(comm, s, 0); }
// end

void broadcast_buffered(scene& s, MPI_Comm comm) { wherry::deep::bcast(comm, s, 0, {.buffered = true}); }

/// All arriving objects lie in one piece of memory, which the next scene uses again.
wherry::deep::arena& nodes() {
  static wherry::deep::arena memory;
  return memory;
}

void broadcast_into_arena(scene& s, MPI_Comm comm) { wherry::deep::bcast(comm, s, 0, {.arena = &nodes()}); }

void release_arena(scene& s) {
  s = {};
  nodes().clear();
}

template <class Memory> method by_hand(const std::string& name, const std::string& text) {
  return {name, text, [](scene& s, MPI_Comm comm) { broadcast_by_hand<Memory>(s, 0, comm); }, free_by_hand<Memory>};
}
template <class Memory> method buffered_by_hand(const std::string& name, const std::string& text) {
  return {name, text, [](scene& s, MPI_Comm comm) { broadcast_buffered_by_hand<Memory>(s, 0, comm); },
          free_by_hand<Memory>};
}

}  // namespace

void release(scene& s) {
  wherry::deep::destroy(s);
  s = {};
}

const std::vector<method>& methods() {
  static const std::vector<method> all{
      {"wherry", "Wherry", broadcast, release},
      {"buffered", "Wherry, buffered", broadcast_buffered, release},
      {"arena", "Wherry, into an arena", broadcast_into_arena, release_arena},
      by_hand<mpi_memory>("hand", "MPI by hand"),
      buffered_by_hand<mpi_memory>("hand-buffered", "MPI by hand, buffered"),
      by_hand<heap_memory>("hand-new", "MPI by hand, new"),
      buffered_by_hand<heap_memory>("hand-buffered-new", "MPI by hand, buffered, new"),
  };
  return all;
}

}  // namespace ray_scene
