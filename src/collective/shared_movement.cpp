#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/cache_line.hpp"
#include "shared.hpp"

namespace wherry::collective::shared {

task barrier(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(0));
  co_await until(turn.my_turn());
  co_await until(turn.may_show(0, 0));
  turn.room_for(0, 0);
  turn.show(0);
  for (int i = 1; i < turn.members(); ++i) co_await until(turn.shown_by(other(turn, i), 0));
  turn.end();
}

namespace {

/// True if the root of a pair may do half of a broadcast. If both can reach each other's memory, the reader shows its
/// buffer, and the root writes the second half there. The root does so if the reader is already waiting, and says so by
/// a stride: the number of bytes left to the reader. Otherwise neither waits for the other.
bool may_be_halved(const board_turn& turn, const std::byte* buffer, std::int64_t bytes) {
  return turn.members() == 2 && is_worth_the_wait(turn, bytes) && turn.is_shared(buffer);
}

/// Offers the reader's buffer to the root until the call has ended there. If the reader gives the call up, the offer is
/// withdrawn, so that the root does not write to its memory.
class offered_buffer {
 public:
  offered_buffer(board_turn& turn, const std::byte* buffer) : turn_(turn) {
    turn_.point_at(0, buffer);
    turn_.show(0);
  }
  offered_buffer(const offered_buffer&) = delete;
  offered_buffer& operator=(const offered_buffer&) = delete;
  ~offered_buffer() {
    if (!turn_.has_ended()) turn_.withdraw(0);
  }

 private:
  board_turn& turn_;
};

std::int64_t first_half(std::int64_t bytes) { return in_lines(bytes / 2); }

task bcast_one_half(board_turn& turn, std::byte* buffer, std::int64_t bytes) {
  const int reader = 1 - turn.me();
  const auto half = first_half(bytes);
  co_await until(turn.may_show(0, 0));
  turn.point_at(0, buffer, half);
  turn.show(0);
  copy_bytes(turn.memory_of(reader, 0) + half, buffer + half, bytes - half);
  co_await until(turn.may_show(1, 0));
  turn.room_for(1, 0);
  turn.show(1);
  turn.end();
  co_await until(turn.is_read_by_all(1));
}

task bcast_other_half(board_turn& turn, int root, std::byte* buffer, std::int64_t half) {
  copy_bytes(buffer, turn.memory_of(root, 0), half);
  turn.finish(0);
  co_await until(turn.shown_by(root, 1));
  turn.end();
}

}  // namespace

task bcast(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(call.output.bytes(0)));
  co_await until(turn.my_turn());
  const auto bytes = call.output.bytes(0), each = one_way_part(turn);
  auto* const buffer = call.output.at(0);
  const auto parts = parts_of(bytes, each);
  const bool can_be_halved = may_be_halved(turn, buffer, bytes);
  if (call.is_root()) {
    turn.reads_nothing();
    if (can_be_halved && turn.shown_by(1 - turn.me(), 0)()) {
      auto half = bcast_one_half(turn, buffer, bytes);
      co_await all_of(half);
      co_return;
    }
    const contribution mine(turn, buffer, bytes, is_worth_the_wait(turn, bytes), flow::one_way);
    for (std::uint64_t number = 0; number < parts; ++number) {
      const auto now = part::of(bytes, number, each);
      co_await until(mine.may_show(number, now));
      mine.show(number, now);
    }
    turn.end();
    if (mine.in_place()) co_await until(turn.is_read_by_all(parts - 1));
  } else {
    std::optional<offered_buffer> offer;
    if (can_be_halved) {
      co_await until(turn.may_show(0, 0));
      offer.emplace(turn, buffer);
    }
    for (std::uint64_t number = 0; number < parts; ++number) {
      const auto now = part::of(bytes, number, each);
      co_await until(turn.shown_by(call.root, number));
      if (const auto half = number == 0 && can_be_halved ? turn.stride_of(call.root, 0) : 0; half > 0) {
        auto rest = bcast_other_half(turn, call.root, buffer, half);
        co_await all_of(rest);
        co_return;
      }
      copy_bytes(buffer + now.at, turn.what(call.root, number, now.bytes), now.bytes);
      turn.finish(number);
    }
    turn.look_ahead(call.root);
    turn.end();
  }
}

task gather(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(call.input.bytes(0)));
  co_await until(turn.my_turn());
  const auto each = one_way_part(turn);
  if (!call.is_root()) {
    turn.reads_nothing();
    const auto bytes = call.input.bytes(0);
    const auto parts = parts_of(bytes, each);
    const contribution mine(turn, call.input.at(0), bytes, is_worth_the_wait(turn, bytes), flow::one_way);
    for (std::uint64_t number = 0; number < parts; ++number) {
      const auto now = part::of(bytes, number, each);
      co_await until(mine.may_show(number, now));
      mine.show(number, now);
    }
    turn.end();
    if (mine.in_place()) co_await until(turn.is_read_by(call.root, call.root, parts - 1));
  } else {
    copy_bytes(call.output.at(call.rank), call.input.at(0), call.output.bytes(call.rank));
    const auto parts = parts_of(most_bytes(call.output, turn), each);
    for (std::uint64_t number = 0; number < parts; ++number) {
      for (int i = 1; i < turn.members(); ++i) {
        const int from = other(turn, i);
        const auto expected = call.output.bytes(from);
        const auto now = part::of(expected, number, each);
        if (now.bytes == 0 && number > 0) continue;
        co_await until(turn.shown_by(from, number, call.terms.of(expected)));
        copy_bytes(call.output.at(from) + now.at, turn.what(from, number, now.bytes), now.bytes);
      }
      turn.finish(number);
    }
    for (int i = 1; i < turn.members(); ++i) turn.look_ahead(other(turn, i));
    turn.end();
  }
}

task allgather(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(call.output.bytes(board.me())));
  co_await until(turn.my_turn());
  const int me = turn.me();
  const auto bytes = call.output.bytes(me);
  const contribution mine(turn, call.input.at(0), bytes);
  copy_bytes(call.output.at(me), call.input.at(0), bytes);
  const auto parts = parts_of(std::max(bytes, most_bytes(call.output, turn)), turn.slot());
  for (std::uint64_t number = 0; number < parts; ++number) {
    if (const auto now = part::of(bytes, number, turn.slot()); now.bytes > 0 || number == 0) {
      co_await until(mine.may_show(number, now));
      mine.show(number, now);
    }
    for (int i = 1; i < turn.members(); ++i) {
      const int from = other(turn, i);
      const auto expected = call.output.bytes(from);
      const auto now = part::of(expected, number, turn.slot());
      if (now.bytes == 0 && number > 0) continue;
      co_await until(turn.shown_by(from, number, call.terms.of(expected)));
      copy_bytes(call.output.at(from) + now.at, turn.what(from, number, now.bytes), now.bytes);
    }
    turn.finish(number);
  }
  turn.end();
  if (mine.in_place()) co_await until(turn.is_read_by_all(parts - 1));
}

/// The word of all members for a call with a block for each member: with the bytes of a block, if all are equal.
std::uint64_t said_of_blocks(const dense_call& call, std::int64_t bytes) {
  return call.terms.of(call.alike ? bytes : 0);
}

task scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn,
                  said_of_blocks(call, call.is_root() ? call.input.bytes(0) : call.output.bytes(0)));
  co_await until(turn.my_turn());
  if (call.is_root()) {
    turn.reads_nothing();
    pieces all(turn, call, call.input.bytes(0), 1, flow::one_way);
    all.give(call.input, is_worth_the_wait(turn, call.input.bytes(0)));
    copy_bytes(call.output.at(0), call.input.at(call.rank), call.input.bytes(call.rank));
    const auto parts = parts_of(most_bytes(call.input, turn), all.each());
    for (std::uint64_t number = 0; number < parts; ++number) {
      co_await until(all.may_show(number));
      all.show(number);
    }
    turn.end();
    if (all.in_place()) co_await until(turn.is_read_by_all(parts - 1));
  } else {
    const auto bytes = call.output.bytes(0);
    const pieces all(turn, call, bytes);
    for (std::uint64_t number = 0; number < parts_of(bytes, all.each()); ++number) {
      const auto now = part::of(bytes, number, all.each());
      co_await until(turn.shown_by(call.root, number));
      copy_bytes(call.output.at(0) + now.at, all.from(call.root, number, bytes), now.bytes);
      turn.finish(number);
    }
    turn.look_ahead(call.root);
    turn.end();
  }
}

task alltoall(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, said_of_blocks(call, call.input.bytes(0)));
  co_await until(turn.my_turn());
  const int me = turn.me();
  pieces all(turn, call, call.input.bytes(0));
  all.give(call.input);
  copy_bytes(call.output.at(me), call.input.at(me), call.input.bytes(me));
  const auto sends = parts_of(most_bytes(call.input, turn), all.each());
  const auto receives = parts_of(most_bytes(call.output, turn), all.each());
  for (std::uint64_t number = 0; number < std::max(sends, receives); ++number) {
    if (number < sends) {
      co_await until(all.may_show(number));
      all.show(number);
    }
    for (int i = 1; i < turn.members(); ++i) {
      const int from = other(turn, i);
      const auto expected = call.output.bytes(from);
      const auto now = part::of(expected, number, all.each());
      if (now.bytes == 0 && number > 0) continue;
      co_await until(turn.shown_by(from, number));
      copy_bytes(call.output.at(from) + now.at, all.from(from, number, expected), now.bytes);
    }
    turn.finish(number);
  }
  turn.end();
  if (all.in_place()) co_await until(turn.is_read_by_all(sends - 1));
}

}  // namespace wherry::collective::shared
