// Reductions. The order of the operations is that of the ranks, from the last one back, whatever the vector's length
// and the way that is taken: results are the same bits on all ranks and for all lengths.
#include <algorithm>
#include <cstring>

#include "shared.hpp"

namespace wherry::collective::shared {
namespace {

/// What all have shown, from element `at` on, in the order of the ranks `first` to `last`, to `out`, which none of
/// them has.
struct fold {
  const board_turn& turn;
  const reducer& reduce;
  std::uint64_t number;
  std::int64_t shown;  // bytes that each shows
  std::int64_t at, bytes;
  const std::byte* own = nullptr;  // this rank's, where it has not shown it

  const std::byte* of(int member) const {
    return (own != nullptr && member == turn.me() ? own : turn.what(member, number, shown)) + at;
  }
  void operator()(std::byte* out, int first, int last) const {
    const auto count = bytes / reduce.element_bytes();
    if (first == last) {
      std::memcpy(out, of(last), static_cast<std::size_t>(bytes));
      return;
    }
    reduce.combine(out, of(last - 1), of(last), count);
    for (int member = last - 2; member >= first; --member) reduce.combine(out, of(member), out, count);
  }
};

/// Bytes of whole elements that fit.
std::int64_t whole_elements(std::int64_t bytes, std::int64_t element) { return bytes / element * element; }

/// Each member folds a share of long vectors and shows it to all; what is short all fold on their own.
constexpr std::int64_t least_shared_work = 16 << 10;

}  // namespace

task reduce(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  const bool wants_result = call.what == pattern::allreduce || call.is_root();
  const auto element = call.reduce.element_bytes();
  const auto bytes = call.input.bytes(0), each = whole_elements(turn.slot(), element);
  const int members = turn.members(), me = turn.me();
  // Numbers 2i: contributions; 2i + 1: the member's share of the result.
  for (std::uint64_t i = 0; i < parts_of(bytes, each); ++i) {
    const auto now = part::of(bytes, i, each);
    const bool divided = members > 2 && now.bytes * members > least_shared_work;
    const auto share = [&](int member) {
      const auto until_element = [&](int m) { return now.bytes / element * m / members * element; };
      return part{until_element(member), until_element(member + 1) - until_element(member)};
    };
    const auto* const own = call.input.at(0) + now.at;
    // A root that folds alone shows nothing, unless its result would lie over what is still to be read.
    const bool keeps_own = call.what == pattern::reduce && call.is_root() && !divided &&
                           (members == 2 || call.output.at(0) != call.input.at(0));
    if (!keeps_own) {
      co_await until(turn.may_show(2 * i));
      std::memcpy(turn.room_for(2 * i, now.bytes), own, static_cast<std::size_t>(now.bytes));
      turn.show(2 * i);
    }
    if (divided || wants_result)
      for (int m = 1; m < members; ++m) co_await until(turn.shown_by((me + m) % members, 2 * i));
    if (!divided) {
      if (wants_result)
        fold{turn, call.reduce, 2 * i, now.bytes, 0, now.bytes, keeps_own ? own : nullptr}(call.output.at(0) + now.at,
                                                                                           0, members - 1);
    } else {
      const auto mine = share(me);
      co_await until(turn.may_show(2 * i + 1));
      if (mine.bytes > 0)
        fold{turn, call.reduce, 2 * i, now.bytes, mine.at, mine.bytes}(turn.room_for(2 * i + 1, now.bytes) + mine.at, 0,
                                                                       members - 1);
      turn.show(2 * i + 1);
      for (int m = 0; wants_result && m < members; ++m) {
        const int from = (me + m) % members;
        const auto theirs = share(from);
        if (theirs.bytes == 0) continue;
        if (from != me) co_await until(turn.shown_by(from, 2 * i + 1));
        std::memcpy(call.output.at(0) + now.at + theirs.at, turn.what(from, 2 * i + 1, now.bytes) + theirs.at,
                    static_cast<std::size_t>(theirs.bytes));
      }
    }
    turn.finish(2 * i + 1);
  }
  turn.end();
}

task scan(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  const int last = call.what == pattern::scan ? turn.me() : turn.me() - 1;
  const auto bytes = call.input.bytes(0), each = whole_elements(turn.slot(), call.reduce.element_bytes());
  for (std::uint64_t i = 0; i < parts_of(bytes, each); ++i) {
    const auto now = part::of(bytes, i, each);
    co_await until(turn.may_show(i));
    std::memcpy(turn.room_for(i, now.bytes), call.input.at(0) + now.at, static_cast<std::size_t>(now.bytes));
    turn.show(i);
    for (int m = 0; m < turn.me(); ++m) co_await until(turn.shown_by(m, i));
    if (last >= 0) fold{turn, call.reduce, i, now.bytes, 0, now.bytes}(call.output.at(0) + now.at, 0, last);
    turn.finish(i);
  }
  turn.end();
}

task reduce_scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn);
  co_await until(turn.my_turn());
  const int members = turn.members(), me = turn.me();
  const auto piece = whole_elements(turn.slot() / members, call.reduce.element_bytes());
  std::uint64_t parts = 0;
  for (int m = 0; m < members; ++m) parts = std::max(parts, parts_of(call.input.bytes(m), piece));
  for (std::uint64_t i = 0; i < parts; ++i) {
    co_await until(turn.may_show(i));
    // What each shows of every block, one behind the other.
    std::int64_t shown = 0, mine_at = 0;
    for (int m = 0; m < members; ++m) {
      if (m == me) mine_at = shown;
      shown += part::of(call.input.bytes(m), i, piece).bytes;
    }
    auto* room = turn.room_for(i, shown);
    for (int m = 0; m < members; ++m) {
      const auto now = part::of(call.input.bytes(m), i, piece);
      if (now.bytes > 0) std::memcpy(room, call.input.at(m) + now.at, static_cast<std::size_t>(now.bytes));
      room += now.bytes;
    }
    turn.show(i);
    if (const auto mine = part::of(call.input.bytes(me), i, piece); mine.bytes > 0) {
      for (int m = 1; m < members; ++m) co_await until(turn.shown_by((me + m) % members, i));
      fold{turn, call.reduce, i, shown, mine_at, mine.bytes}(call.output.at(0) + mine.at, 0, members - 1);
    }
    turn.finish(i);
  }
  turn.end();
}

}  // namespace wherry::collective::shared
