// Collectives of ranks that share memory, by the board of their node: they call MPI only while they wait.
#pragma once

#include <cstdint>
#include <cstring>

#include "dense_call.hpp"
#include "node_board.hpp"
#include "task.hpp"

namespace wherry::collective::shared {

/// Runs a call of any pattern at the turn of this number, which has been reserved. The ranks of the call are the
/// board's members.
task run(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

// shared_movement.cpp
task barrier(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task bcast(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task gather(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task allgather(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task alltoall(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

// shared_neighbors.cpp
/// These move data between neighbours that share memory.
task neighbor_allgather(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task neighbor_alltoall(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

// shared_reduction.cpp
/// Does reduce and allreduce.
task reduce(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task reduce_scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
/// Does scan and exscan.
task scan(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

/// Below this size a copy costs less than a wait for the readers.
constexpr std::int64_t least_in_place = 4096;
/// Reductions with more bytes from all ranks together are divided among more than two members: each member folds a
/// share and shows it to all. Below, each member folds everything itself.
constexpr std::int64_t most_undivided = 16 << 10;

/// A part of a block: part `number` of `each` bytes.
struct part {
  std::int64_t at, bytes;
  static part of(std::int64_t whole, std::uint64_t number, std::int64_t each);
};
/// The number of parts. An empty block has one part, which carries the word of its call.
std::uint64_t parts_of(std::int64_t whole, std::int64_t each);
/// The bytes of a part if one member shows data that others only read. Readers should begin early, but each part costs
/// a look at a flag, and a process switch if there are more members than cores.
inline std::int64_t one_way_part(const board_turn& turn) { return turn.is_crowded() ? turn.slot() : turn.slot() / 4; }

/// True if waiting for the readers of this rank's own memory is worth it. A rank that only sends runs ahead of its
/// readers, unless it must wait until they have read its memory.
inline bool is_worth_the_wait(const board_turn& turn, std::int64_t bytes) { return bytes >= turn.slot(); }

/// This member's contribution, shown in parts: a copy of it or, if the node shares its memory, the memory itself.
class contribution {
 public:
  /// @param stays the memory does not change before it is read, and waiting for that is worth it
  contribution(board_turn& turn, const std::byte* data, std::int64_t bytes, bool stays = true,
               flow way = flow::both_ways);

  /// True if the memory is shown in place: it is the user's again once all readers have finished.
  bool in_place() const { return in_place_; }
  /// A condition to wait for before `show`.
  auto may_show(std::uint64_t number, const part& now) const {
    return turn_.may_show(number, in_place_ ? 0 : now.bytes);
  }
  void show(std::uint64_t number, const part& now) const;

 private:
  board_turn& turn_;
  const std::byte* data_;
  flow way_;
  bool in_place_;
};

/// Contributions with a block for each member, shown a piece of each block at a time. If blocks have different sizes,
/// the bytes of the whole block stand before its piece, for the reader to compare.
class pieces {
 public:
  /// @param bytes of a block, if all blocks have the same size
  /// @param granule bytes that stay together
  pieces(board_turn& turn, const dense_call& call, std::int64_t bytes, std::int64_t granule = 1,
         flow way = flow::both_ways);

  /// The bytes of a piece.
  std::int64_t each() const { return each_; }
  /// Sets this member's contribution, before the first `show`.
  /// @param stays as for a `contribution`
  void give(const block_table& blocks, bool stays = true);
  bool in_place() const { return in_place_; }
  auto may_show(std::uint64_t number) const { return turn_.may_show(number, in_place_ ? 0 : taken_); }
  /// Shows the pieces of all other members.
  void show(std::uint64_t number) const;
  /// This member's piece of another member's showing, of a block of this many bytes.
  /// @throws error(mismatch)
  const std::byte* from(int member, std::uint64_t number, std::int64_t bytes_of_block) const;

 private:
  bool paired() const { return turn_.members() == 2; }
  void take(std::int64_t longest, bool in_the_record);
  std::byte* room(std::uint64_t number) const;

  board_turn& turn_;
  const call_terms& terms_;
  std::int64_t figure_;  // bytes before a piece: the bytes of the block, and padding for elements aligned to 16 bytes
  std::int64_t each_, whole_;
  std::int64_t stride_ = 0;  // from one member's piece to the next; 0: there is only one
  std::int64_t taken_ = 0;   // bytes of the slot; 0: the pieces stand in the record
  flow way_;
  bool alike_, in_place_ = false;
  const block_table* blocks_ = nullptr;
};

/// The number-th other member, counted from the next one, so that members do not all read from the same one at once.
inline int other(const board_turn& turn, int number) { return (turn.me() + number) % turn.members(); }
/// Reduces the contributions `of(member)` of members `first` to `last` to `out`, from the last one back, whatever their
/// number and the length of the vector. `out` may be the memory of the last one, and of another one only if there are
/// two.
/// @param combine (out, left, right) of vectors of this many bytes
template <class Combine, class Of>
void fold(const Combine& combine, const Of& of, std::byte* out, int first, int last, std::int64_t bytes) {
  if (first == last) {
    if (out != of(last)) std::memcpy(out, of(last), static_cast<std::size_t>(bytes));
    return;
  }
  combine(out, of(last - 1), of(last));
  for (int member = last - 2; member >= first; --member) combine(out, of(member), out);
}

/// The bytes of the largest block of the other members.
std::int64_t most_bytes(const block_table& blocks, const board_turn& turn);
void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes);

}  // namespace wherry::collective::shared
