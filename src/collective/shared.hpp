// Collectives of ranks that share memory, by the node's board: no call of MPI but while they wait.
#pragma once

#include <cstdint>
#include <cstring>

#include "dense_call.hpp"
#include "node_board.hpp"
#include "task.hpp"

namespace wherry::collective::shared {

/// Whatever the call's pattern is, at the turn of this number, which has been reserved. The call's ranks are the
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
/// Between those neighbours that share memory.
task neighbor_allgather(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task neighbor_alltoall(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

// shared_reduction.cpp
/// Reduce and allreduce.
task reduce(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task reduce_scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
/// Scan and exscan.
task scan(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

/// Below it a copy costs less than to wait for those who read.
constexpr std::int64_t least_in_place = 4096;
/// Reductions of which more than so much comes together are divided among more than two members: each folds a share and
/// shows it to all. What is less all fold on their own.
constexpr std::int64_t most_undivided = 16 << 10;

/// A part of a block: the `number`th of `each` bytes.
struct part {
  std::int64_t at, bytes;
  static part of(std::int64_t whole, std::uint64_t number, std::int64_t each);
};
/// How many parts: also of nothing there is one, which says whose it is.
std::uint64_t parts_of(std::int64_t whole, std::int64_t each);
/// Bytes of a part where one member shows what others only read: the sooner they begin the better, but each part costs
/// a look at a flag, and a change of processes where members outnumber cores.
inline std::int64_t one_way_part(const board_turn& turn) { return turn.is_crowded() ? turn.slot() : turn.slot() / 4; }

/// Who only sends is ahead of those who read, unless it has to wait until they have read its own memory.
inline bool is_worth_the_wait(const board_turn& turn, std::int64_t bytes) { return bytes >= turn.slot(); }

/// What this member contributes, shown a part at a time: a copy of it or, if the node shares the memory it is in, that.
class contribution {
 public:
  /// @param stays whether nobody writes to it before it is read, and it is worth waiting for that
  contribution(board_turn& turn, const std::byte* data, std::int64_t bytes, bool stays = true,
               flow way = flow::both_ways);

  /// Then it is the user's again once all who read it have finished.
  bool in_place() const { return in_place_; }
  /// To be waited for first.
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

/// Contributions that have a block for each member, shown a piece of each at a time. Where blocks are not alike, the
/// bytes of the whole block stand before its piece, for its reader to compare.
class pieces {
 public:
  /// @param bytes of a block, where all are alike
  /// @param granule bytes that stay together
  pieces(board_turn& turn, const dense_call& call, std::int64_t bytes, std::int64_t granule = 1,
         flow way = flow::both_ways);

  /// Bytes of a piece.
  std::int64_t each() const { return each_; }
  /// Before the first `show`: what this member contributes.
  /// @param stays as for a `contribution`
  void give(const block_table& blocks, bool stays = true);
  bool in_place() const { return in_place_; }
  auto may_show(std::uint64_t number) const { return turn_.may_show(number, in_place_ ? 0 : taken_); }
  /// All but this member's own.
  void show(std::uint64_t number) const;
  /// This member's piece of what another one shows, of a block of so many bytes. @throws error(mismatch)
  const std::byte* from(int member, std::uint64_t number, std::int64_t bytes_of_block) const;

 private:
  bool paired() const { return turn_.members() == 2; }
  void take(std::int64_t longest, bool in_the_record);
  std::byte* room(std::uint64_t number) const;

  static constexpr std::int64_t figure = sizeof(std::int64_t);  // the bytes of the block
  board_turn& turn_;
  const call_terms& terms_;
  std::int64_t each_, whole_;
  std::int64_t stride_ = 0;  // from one member's piece to the next one's; 0: there is but one
  std::int64_t taken_ = 0;   // of the slot; 0: they stand in the record
  flow way_;
  bool alike_, in_place_ = false;
  const block_table* blocks_ = nullptr;
};

/// The other members, each beginning with the one after it, so that they do not all go to the same one at once.
inline int other(const board_turn& turn, int number) { return (turn.me() + number) % turn.members(); }
/// What the members `first` to `last` contribute, `of(member)`, to `out`: from the last one back, whatever their number
/// and the vector's length. `out` may be the last one's; of the others' only among two.
/// @param combine (out, left, right) of vectors of so many bytes
template <class Combine, class Of>
void fold(const Combine& combine, const Of& of, std::byte* out, int first, int last, std::int64_t bytes) {
  if (first == last) {
    if (out != of(last)) std::memcpy(out, of(last), static_cast<std::size_t>(bytes));
    return;
  }
  combine(out, of(last - 1), of(last));
  for (int member = last - 2; member >= first; --member) combine(out, of(member), out);
}

/// The largest of the others' blocks.
std::int64_t most_bytes(const block_table& blocks, const board_turn& turn);
void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes);

}  // namespace wherry::collective::shared
