// A call as implementations see it: what moves, from bytes that lie together to such. Datatypes, MPI_IN_PLACE and the
// difference between a collective and its "v" and "w" forms are dealt with before and after.
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

/// The sides of a call, each a buffer with its counts and its type, that MPI looks at on one rank (MPI-4.1, chapter 6).
/// MPI does not look at the other ones, so that they may hold anything, a freed datatype for example.
struct significant_sides {
  bool sends, receives;
};
significant_sides significant_sides_of(const call& what, int rank);
constexpr bool is_of_neighbors(kind what) { return what >= kind::neighbor_allgather; }
/// Not the "v" and "w" forms, nor MPI_Reduce_scatter.
bool has_equal_blocks(kind what);

/// Blocks are numbered by ranks, among neighbours by those, as their topology lists them. A rank's own block, of which
/// there is one, has the number 0: what it sends in gather, allgather, neighbor_allgather and reductions, what it gets
/// in scatter, broadcast and reductions.
struct dense_call {
  pattern what = pattern::barrier;
  int rank = 0, size = 1, root = 0;
  bool alike = true;  ///< all blocks have as many bytes; else a rank may know only those that it sends or gets
  block_table input, output;
  std::int64_t count = 0;  ///< of a reduction: elements of the vector; of a reduce_scatter, of this rank's part
  reducer reduce;
  call_terms terms;  ///< what the ranks must agree on, but for the bytes of each contribution or message
  const neighborhood* around = nullptr;          ///< where it is among neighbours
  const neighbors_arrivals* arrivals = nullptr;  ///< of a neighbor_alltoall

  bool is_root() const { return rank == root; }
};

/// Makes a call dense, and the user's buffers afterwards. Stays where it is.
class prepared_call {
 public:
  explicit prepared_call(scratch_pool& pool)
      : pool_(pool), input_places_(pool), output_places_(pool), to_unpack_(pool) {}
  /// Local, once.
  /// @param around of a call among neighbours: those; it knows what calls of this kind must know
  void prepare(const call& users, int rank, int size, const neighborhood* around, const call_terms& terms);
  prepared_call(const prepared_call&) = delete;
  prepared_call& operator=(const prepared_call&) = delete;

  const dense_call& dense() const { return dense_; }
  /// What has come goes where the user wants it.
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
  scratch_list<std::int64_t> input_places_, output_places_;  // two figures a block
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
