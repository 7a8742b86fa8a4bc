// Reductions. They combine in the order of the ranks, from the last one back, whatever the length of the vector and the
// path: results have the same bits on all ranks and for all lengths.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "shared.hpp"

namespace wherry::collective::shared {
namespace {

template <class Of>
void fold(const reducer& reduce, const Of& of, std::byte* out, int first, int last, std::int64_t bytes) {
  if (bytes == 0) return;
  const auto count = bytes / reduce.element_bytes();
  fold([&](std::byte* to, const std::byte* left, const std::byte* right) { reduce.combine(to, left, right, count); },
       of, out, first, last, bytes);
}

/// The bytes of a part of `whole`: as many elements as fit in `most` bytes.
std::int64_t part_size(std::int64_t whole, std::int64_t most, std::int64_t element) {
  return whole <= most ? whole : most / element * element;
}

}  // namespace

task reduce(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(call.input.bytes(0)));
  co_await until(turn.my_turn());
  const bool to_all = call.what == pattern::allreduce, wants_result = to_all || call.is_root();
  const auto element = call.reduce.element_bytes();
  const int members = turn.members(), me = turn.me();
  const auto bytes = call.input.bytes(0);
  const auto each =
      part_size(bytes, to_all || members > 2 ? turn.slot() : std::max(element, one_way_part(turn)), element);
  const auto parts = parts_of(bytes, each);
  const bool own_is_overwritten = wants_result && call.output.at(0) == call.input.at(0);
  const contribution mine(turn, call.input.at(0), bytes,
                          !own_is_overwritten && (to_all || is_worth_the_wait(turn, bytes)),
                          to_all || members > 2 ? flow::both_ways : flow::one_way);
  bool all_read = false;  // else only the root reads
  // Showing 2i is a contribution, showing 2i + 1 the member's share of the result.
  for (std::uint64_t i = 0; i < parts; ++i) {
    const auto now = part::of(bytes, i, each);
    const bool divided = members > 2 && now.bytes * members > most_undivided;
    all_read = all_read || divided || to_all;
    const auto* const own = call.input.at(0) + now.at;
    // A root that folds alone shows nothing, unless its result would overwrite data that is still to be read.
    const bool keeps_own = !to_all && call.is_root() && !divided && (members == 2 || !own_is_overwritten);
    if (!keeps_own) {
      co_await until(mine.may_show(2 * i, now));
      mine.show(2 * i, now);
    }
    if (divided || wants_result)
      for (int m = 1; m < members; ++m) co_await until(turn.shown_by(other(turn, m), 2 * i));
    const auto contributed_by = [&](int m) {
      return m == me && (keeps_own || !own_is_overwritten) ? own : turn.what(m, 2 * i, now.bytes);
    };
    if (!divided) {
      if (wants_result) fold(call.reduce, contributed_by, call.output.at(0) + now.at, 0, members - 1, now.bytes);
    } else {
      const auto share = [&](int member) {
        const auto until_element = [&](int m) { return now.bytes / element * m / members * element; };
        return part{until_element(member), until_element(member + 1) - until_element(member)};
      };
      const auto my_share = share(me);
      if (my_share.bytes > 0) {
        co_await until(turn.may_show(2 * i + 1, my_share.bytes));
        fold(
            call.reduce, [&](int m) { return contributed_by(m) + my_share.at; },
            turn.room_for(2 * i + 1, my_share.bytes), 0, members - 1, my_share.bytes);
        turn.show(2 * i + 1);
      }
      for (int m = 0; wants_result && m < members; ++m) {
        const int from = other(turn, m);
        const auto theirs = share(from);
        if (theirs.bytes == 0) continue;
        if (from != me) co_await until(turn.shown_by(from, 2 * i + 1));
        copy_bytes(call.output.at(0) + now.at + theirs.at, turn.what(from, 2 * i + 1, theirs.bytes), theirs.bytes);
      }
    }
    turn.finish(2 * i + 1);
  }
  for (int m = 1; wants_result && !to_all && m < members; ++m) turn.look_ahead(other(turn, m));
  turn.end();
  if (mine.in_place()) {
    const int first = all_read ? 0 : call.root, last = all_read ? members - 1 : call.root;
    co_await until(turn.is_read_by(first, last, 2 * parts - 1));
  }
}

task scan(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(call.input.bytes(0)));
  co_await until(turn.my_turn());
  const int me = turn.me(), last = call.what == pattern::scan ? me : me - 1;
  const auto element = call.reduce.element_bytes();
  const auto bytes = call.input.bytes(0), each = part_size(bytes, std::max(element, one_way_part(turn)), element);
  const auto parts = parts_of(bytes, each);
  const bool own_is_overwritten = call.output.at(0) == call.input.at(0);
  const contribution mine(turn, call.input.at(0), bytes, !own_is_overwritten && is_worth_the_wait(turn, bytes),
                          flow::one_way);
  const bool is_read = me + 1 < turn.members();
  for (std::uint64_t i = 0; i < parts; ++i) {
    const auto now = part::of(bytes, i, each);
    if (is_read) {
      co_await until(mine.may_show(i, now));
      mine.show(i, now);
    }
    for (int m = 0; m < me; ++m) co_await until(turn.shown_by(m, i));
    const auto contributed_by = [&](int m) {
      return m == me && !(is_read && own_is_overwritten) ? call.input.at(0) + now.at : turn.what(m, i, now.bytes);
    };
    if (last >= 0) fold(call.reduce, contributed_by, call.output.at(0) + now.at, 0, last, now.bytes);
    turn.finish(i);
  }
  for (int m = 0; m < me; ++m) turn.look_ahead(m);
  turn.end();
  if (is_read && mine.in_place()) co_await until(turn.is_read_by(me + 1, turn.members() - 1, parts - 1));
}

task reduce_scatter(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(call.alike ? call.input.bytes(0) : 0));
  co_await until(turn.my_turn());
  const int members = turn.members(), me = turn.me();
  pieces all(turn, call, call.input.bytes(0), call.reduce.element_bytes());
  all.give(call.input);
  std::uint64_t parts = 0;
  for (int m = 0; m < members; ++m) parts = std::max(parts, parts_of(call.input.bytes(m), all.each()));
  for (std::uint64_t i = 0; i < parts; ++i) {
    co_await until(all.may_show(i));
    all.show(i);
    const auto mine = call.input.bytes(me);
    if (const auto now = part::of(mine, i, all.each()); now.bytes > 0 || i == 0) {
      for (int m = 1; m < members; ++m) co_await until(turn.shown_by(other(turn, m), i));
      const auto contributed_by = [&](int m) { return m == me ? call.input.at(me) + now.at : all.from(m, i, mine); };
      fold(call.reduce, contributed_by, call.output.at(0) + now.at, 0, members - 1, now.bytes);
    }
    turn.finish(i);
  }
  turn.end();
  if (all.in_place()) co_await until(turn.is_read_by_all(parts - 1));
}

}  // namespace wherry::collective::shared
