// Collectives of ranks that share memory, by the node's board: no call of MPI but while they wait.
#pragma once

#include <cstdint>

#include "dense_call.hpp"
#include "node_board.hpp"
#include "task.hpp"

namespace wherry::collective::shared {

/// Whatever the call's pattern is, at the turn of this number, which has been reserved. The call's ranks are the
/// board's members.
task run(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

// shared_movement.cpp
task barrier(node_board& board, std::uint64_t number_of_turn);
task bcast(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task gather(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task allgather(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task alltoall(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

// shared_reduction.cpp
/// Reduce and allreduce.
task reduce(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
task reduce_scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call);
/// Scan and exscan.
task scan(node_board& board, std::uint64_t number_of_turn, const dense_call& call);

/// A part of a block: the `number`th of `each` bytes.
struct part {
  std::int64_t at, bytes;
  static part of(std::int64_t whole, std::uint64_t number, std::int64_t each);
};
/// How many parts.
std::uint64_t parts_of(std::int64_t whole, std::int64_t each);

}  // namespace wherry::collective::shared
