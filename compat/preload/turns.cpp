#include "turns.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>

#include "selection.hpp"

namespace wherry::preload {
namespace {

using all_turns = std::array<turns, collective::kinds>;

/// Changes when MPI frees a communicator that has turns, because a thread may then remember the turns of a communicator
/// that is gone.
std::atomic<unsigned> generation{0};

int forget(MPI_Comm, int, void* kept, void*) {
  generation.fetch_add(1, std::memory_order_relaxed);
  delete static_cast<all_turns*>(kept);
  return MPI_SUCCESS;
}

int make_key() {
  int key = MPI_KEYVAL_INVALID;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, nullptr);
  return key;
}

all_turns& turns_of(MPI_Comm comm) {
  static const int key = make_key();
  void* kept = nullptr;
  int there = 0;
  PMPI_Comm_get_attr(comm, key, &kept, &there);
  if (there != 0) return *static_cast<all_turns*>(kept);
  auto* made = new all_turns;
  PMPI_Comm_set_attr(comm, key, made);
  return *made;
}

/// Remembers the turns of the last communicator for each thread, because most calls use the same one again.
turns& turns_of(collective::kind what, MPI_Comm comm) {
  struct remembered {
    MPI_Comm comm = MPI_COMM_NULL;
    unsigned generation = 0;
    all_turns* all = nullptr;
  };
  thread_local remembered last;
  const unsigned now = generation.load(std::memory_order_relaxed);
  if (last.all == nullptr || last.comm != comm || last.generation != now) last = {comm, now, &turns_of(comm)};
  return (*last.all)[static_cast<std::size_t>(what)];
}

template <class List, class Element> bool contains(const List& list, Element wanted) {
  return std::find(std::begin(list), std::end(list), wanted) != std::end(list);
}

bool is_reduction(collective::kind what) {
  using collective::kind;
  return contains(std::array{kind::reduce, kind::allreduce, kind::reduce_scatter, kind::reduce_scatter_block,
                             kind::scan, kind::exscan},
                  what);
}

/// True for a predefined operation on a type of number for which every order gives the same bits.
bool has_the_same_bits(MPI_Op op, MPI_Datatype type, int ranks) {
  static const MPI_Op operations[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,
                                      MPI_BAND, MPI_LOR,  MPI_BOR, MPI_LXOR, MPI_BXOR};
  static const MPI_Datatype integers[] = {
      MPI_CHAR,     MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_BYTE,          MPI_SHORT,     MPI_UNSIGNED_SHORT,
      MPI_INT,      MPI_UNSIGNED,    MPI_LONG,          MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG,
      MPI_INT8_T,   MPI_INT16_T,     MPI_INT32_T,       MPI_INT64_T,       MPI_UINT8_T,   MPI_UINT16_T,
      MPI_UINT32_T, MPI_UINT64_T,    MPI_C_BOOL,        MPI_AINT,          MPI_OFFSET,    MPI_COUNT,
      MPI_INTEGER,  MPI_LOGICAL};
  static const MPI_Datatype numbers[] = {MPI_FLOAT, MPI_DOUBLE, MPI_REAL, MPI_DOUBLE_PRECISION};
  if (contains(integers, type)) return contains(operations, op);
  return ranks <= 2 && contains(numbers, type) && (op == MPI_SUM || op == MPI_PROD);  // a + b = b + a
}

}  // namespace

turn next_turn(collective::kind what, MPI_Comm comm) { return turns_of(what, comm).next(); }

void remember_who_did(collective::kind what, MPI_Comm comm, bool mpi) { turns_of(what, comm).by_mpi_anyway = mpi; }

bool mpi_does_it_anyway(collective::kind what, MPI_Comm comm) { return turns_of(what, comm).by_mpi_anyway; }

bool may_be_mpis(const collective::call& what) {
  if (!is_reduction(what.kind) || selected().compared == comparing::all) return true;
  int ranks = 0;
  PMPI_Comm_size(what.comm, &ranks);
  return has_the_same_bits(what.op, what.receive_type != MPI_DATATYPE_NULL ? what.receive_type : what.send_type, ranks);
}

}  // namespace wherry::preload
