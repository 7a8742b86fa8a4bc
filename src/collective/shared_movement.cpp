#include <algorithm>
#include <cstring>

#include "shared.hpp"

namespace wherry::collective::shared {

part part::of(std::int64_t whole, std::uint64_t number, std::int64_t each) {
  const auto at = std::min(whole, static_cast<std::int64_t>(number) * each);
  return {at, std::min(each, whole - at)};
}

std::uint64_t parts_of(std::int64_t whole, std::int64_t each) {
  return static_cast<std::uint64_t>((whole + each - 1) / each);
}

namespace {

void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

/// The other members, each beginning with the one after it, so that they do not all go to the same one at once.
int other(const board_turn& turn, int number) { return (turn.me() + number) % turn.members(); }

/// Of a slot that holds a piece for each member.
std::int64_t most_of_piece(const board_turn& turn) { return turn.slot() / turn.members() / 64 * 64; }

std::int64_t most_bytes(const block_table& blocks, const board_turn& turn) {
  if (blocks.alike()) return blocks.bytes(0);
  std::int64_t most = 0;
  for (int m = 0; m < turn.members(); ++m)
    if (m != turn.me()) most = std::max(most, blocks.bytes(m));
  return most;
}

}  // namespace

task barrier(node_board& board, std::uint64_t number_of_turn) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  co_await until(turn.may_show(0));
  turn.show(0);
  for (int i = 1; i < turn.members(); ++i) co_await until(turn.shown_by(other(turn, i), 0));
  turn.end();
}

task bcast(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  const auto bytes = call.output.bytes(0);
  auto* const buffer = call.output.at(0);
  const auto parts = parts_of(bytes, turn.slot());
  if (call.is_root()) turn.reads_nothing();
  for (std::uint64_t number = 0; number < parts; ++number) {
    const auto now = part::of(bytes, number, turn.slot());
    if (call.is_root()) {
      co_await until(turn.may_show(number));
      copy_bytes(turn.room_for(number, now.bytes), buffer + now.at, now.bytes);
      turn.show(number);
    } else {
      co_await until(turn.shown_by(call.root, number));
      copy_bytes(buffer + now.at, turn.what(call.root, number, now.bytes), now.bytes);
      turn.finish(number);
    }
  }
  turn.end();
}

task gather(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  if (!call.is_root()) {
    turn.reads_nothing();
    const auto bytes = call.input.bytes(0);
    for (std::uint64_t number = 0; number < parts_of(bytes, turn.slot()); ++number) {
      const auto now = part::of(bytes, number, turn.slot());
      co_await until(turn.may_show(number));
      copy_bytes(turn.room_for(number, now.bytes), call.input.at(0) + now.at, now.bytes);
      turn.show(number);
    }
  } else {
    copy_bytes(call.output.at(call.rank), call.input.at(0), call.output.bytes(call.rank));
    const auto parts = parts_of(most_bytes(call.output, turn), turn.slot());
    for (std::uint64_t number = 0; number < parts; ++number) {
      for (int i = 1; i < turn.members(); ++i) {
        const int from = other(turn, i);
        const auto now = part::of(call.output.bytes(from), number, turn.slot());
        if (now.bytes == 0) continue;
        co_await until(turn.shown_by(from, number));
        copy_bytes(call.output.at(from) + now.at, turn.what(from, number, now.bytes), now.bytes);
      }
      turn.finish(number);
    }
  }
  turn.end();
}

task allgather(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  const int me = turn.me();
  const auto bytes = call.output.bytes(me);
  copy_bytes(call.output.at(me), call.input.at(0), bytes);
  const auto parts = parts_of(std::max(bytes, most_bytes(call.output, turn)), turn.slot());
  for (std::uint64_t number = 0; number < parts; ++number) {
    if (const auto mine = part::of(bytes, number, turn.slot()); mine.bytes > 0) {
      co_await until(turn.may_show(number));
      copy_bytes(turn.room_for(number, mine.bytes), call.input.at(0) + mine.at, mine.bytes);
      turn.show(number);
    }
    for (int i = 1; i < turn.members(); ++i) {
      const int from = other(turn, i);
      const auto now = part::of(call.output.bytes(from), number, turn.slot());
      if (now.bytes == 0) continue;
      co_await until(turn.shown_by(from, number));
      copy_bytes(call.output.at(from) + now.at, turn.what(from, number, now.bytes), now.bytes);
    }
    turn.finish(number);
  }
  turn.end();
}

namespace {

/// How a slot is divided among members: where blocks are alike no more than is needed, so that all that is small fits
/// into a record.
struct division {
  std::int64_t piece, whole;

  division(const board_turn& turn, const dense_call& call, std::int64_t bytes) {
    piece = most_of_piece(turn);
    if (call.alike) piece = std::min(piece, bytes);
    whole = call.alike ? piece * turn.members() : turn.slot();
  }
};

}  // namespace

task scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  const int me = turn.me();
  if (call.is_root()) {
    turn.reads_nothing();
    const division divided(turn, call, call.input.bytes(0));
    copy_bytes(call.output.at(0), call.input.at(me), call.input.bytes(me));
    const auto parts = parts_of(most_bytes(call.input, turn), std::max<std::int64_t>(1, divided.piece));
    for (std::uint64_t number = 0; number < parts; ++number) {
      co_await until(turn.may_show(number));
      auto* const room = turn.room_for(number, divided.whole);
      for (int i = 1; i < turn.members(); ++i) {
        const int to = other(turn, i);
        const auto now = part::of(call.input.bytes(to), number, divided.piece);
        copy_bytes(room + to * divided.piece, call.input.at(to) + now.at, now.bytes);
      }
      turn.show(number);
    }
  } else {
    const auto bytes = call.output.bytes(0);
    const division divided(turn, call, bytes);
    for (std::uint64_t number = 0; bytes > 0 && number < parts_of(bytes, divided.piece); ++number) {
      const auto now = part::of(bytes, number, divided.piece);
      co_await until(turn.shown_by(call.root, number));
      copy_bytes(call.output.at(0) + now.at, turn.what(call.root, number, divided.whole) + me * divided.piece,
                 now.bytes);
      turn.finish(number);
    }
  }
  turn.end();
}

task alltoall(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  const int me = turn.me();
  const division divided(turn, call, call.input.bytes(0));
  const auto each = std::max<std::int64_t>(1, divided.piece);
  copy_bytes(call.output.at(me), call.input.at(me), call.input.bytes(me));
  const auto sends = parts_of(most_bytes(call.input, turn), each);
  const auto receives = parts_of(most_bytes(call.output, turn), each);
  for (std::uint64_t number = 0; number < std::max(sends, receives); ++number) {
    if (number < sends) {
      co_await until(turn.may_show(number));
      auto* const room = turn.room_for(number, divided.whole);
      for (int i = 1; i < turn.members(); ++i) {
        const int to = other(turn, i);
        const auto now = part::of(call.input.bytes(to), number, each);
        copy_bytes(room + to * divided.piece, call.input.at(to) + now.at, now.bytes);
      }
      turn.show(number);
    }
    for (int i = 1; i < turn.members(); ++i) {
      const int from = other(turn, i);
      const auto now = part::of(call.output.bytes(from), number, each);
      if (now.bytes == 0) continue;
      co_await until(turn.shown_by(from, number));
      copy_bytes(call.output.at(from) + now.at, turn.what(from, number, divided.whole) + me * divided.piece, now.bytes);
    }
    turn.finish(number);
  }
  turn.end();
}

}  // namespace wherry::collective::shared
