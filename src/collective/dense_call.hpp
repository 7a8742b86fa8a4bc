// A call as implementations see it: movements between contiguous bytes. Datatypes, MPI_IN_PLACE and the differences
// between a collective and its "v" and "w" forms are handled before and after.
#pragma once

#include <cstdint>

#include "wherry/collective/call.hpp"

#include "blocks.hpp"
#include "call_terms.hpp"
#include "pattern.hpp"
#include "reducer.hpp"
#include "scratch.hpp"

namespace wherry::collective {

class neighborhood;
struct neighbors_arrivals;

pattern pattern_of(kind what);

/// The sides of a call that MPI reads on one rank (MPI-4.1, chapter 6). A side is a buffer with its counts and its
/// type. MPI does not read a side that is not significant: it may hold anything, for example a freed datatype.
struct significant_sides {
  bool sends, receives;
};
significant_sides significant_sides_of(const call& what, int rank);
constexpr bool is_of_neighbors(kind what) { return what >= kind::neighbor_allgather; }
/// True for all but the "v" and "w" forms and MPI_Reduce_scatter.
bool has_equal_blocks(kind what);

/// Blocks are numbered by ranks, or by neighbours in the order of the topology. A rank's single block has number 0: its
/// contribution to gather, allgather, neighbor_allgather and reductions, and its result of scatter, broadcast and
/// reductions.
struct dense_call {
  pattern what = pattern::barrier;
  int rank = 0, size = 1, root = 0;
  /// All blocks have the same size; else a rank may know only the sizes of blocks that it sends or gets.
  bool alike = true;
  block_table input, output;
  /// Of a reduction: the elements of the vector; of a reduce_scatter: those of this rank's part.
  std::int64_t count = 0;
  reducer reduce;
  call_terms terms;                      ///< the terms of the call, without the bytes of each contribution or message
  const neighborhood* around = nullptr;  ///< for a call among neighbours
  const neighbors_arrivals* arrivals = nullptr;  ///< for a neighbor_alltoall

  bool is_root() const { return rank == root; }
};

/// Converts a user's call to a dense one, and the result back to the user's buffers. It must not move.
class prepared_call {
 public:
  explicit prepared_call(scratch_pool& pool)
      : pool_(pool), input_places_(pool), output_places_(pool), to_unpack_(pool) {}
  /// Converts the call. Local; once.
  /// @param around the neighbours, for a call among neighbours; they have learned what calls of this kind need
  void prepare(const call& users, int rank, int size, const neighborhood* around, const call_terms& terms);
  prepared_call(const prepared_call&) = delete;
  prepared_call& operator=(const prepared_call&) = delete;

  const dense_call& dense() const { return dense_; }
  /// Moves the result to the user's buffers.
  void finish();

 private:
  struct side;
  void prepare_neighbors(const call& users);
  void prepare_movement(const call& users);
  void prepare_reduction(const call& users);
  block_table input_of(const side& what);
  block_table output_of(const side& what);
  block_table copy_of(const block_table& what, int blocks);

  scratch_pool& pool_;
  dense_call dense_;
  scratch_list<std::int64_t> input_places_, output_places_;  // two numbers for each block
  scratch packed_input_, packed_output_;
  struct leftover {
    const std::byte* from;
    void* to;
    std::int64_t count;
    MPI_Datatype type;
    std::int64_t size;
  };
  scratch_list<leftover> to_unpack_;
};

}  // namespace wherry::collective
