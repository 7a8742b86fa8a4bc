// Each rank shows its data for its neighbours; all members must have finished with a showing, as anywhere on the board.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "neighborhood.hpp"
#include "shared.hpp"

namespace wherry::collective::shared {
namespace {

/// The largest of the blocks that go to, or come from, ranks of this node.
std::int64_t most_bytes(const block_table& blocks, const std::vector<int>& members) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (members[i] >= 0) most = std::max(most, blocks.bytes(static_cast<int>(i)));
  return most;
}

bool has_any(const std::vector<int>& members) {
  return std::any_of(members.begin(), members.end(), [](int member) { return member >= 0; });
}

constexpr std::int64_t line = 64, figure = sizeof(std::int64_t);

/// The bytes of a piece, the same on all ranks; if blocks have different sizes, the bytes of the block stand before its
/// piece.
std::int64_t bytes_of_piece(const board_turn& turn, const dense_call& call) {
  const auto most = turn.slot() / std::max(1, call.around->most_destinations());
  return most / line * line - (call.alike ? 0 : figure);
}

/// A block for each destination, shown a piece of each at a time. Readers find a piece by its number.
class numbered_pieces {
 public:
  numbered_pieces(board_turn& turn, const dense_call& call, std::int64_t each)
      : turn_(turn),
        to_(call.around->destination_members()),
        blocks_(call.input),
        each_(each),
        most_(most_bytes(call.input, to_)),
        before_(call.alike ? 0 : figure),
        in_place_(call.alike && blocks_.alike() && most_ > each && turn.is_shared(blocks_.at(0)) &&
                  turn.may_stay(most_, flow::both_ways)) {}

  std::int64_t most() const { return most_; }
  bool shows(std::uint64_t number) const {
    return number == 0 ? has_any(to_) : part::of(most_, number, each_).bytes > 0;
  }
  bool in_place() const { return in_place_; }
  /// The bytes of the largest piece with this number; 0: there is none.
  std::int64_t stride(std::uint64_t number) const { return part::of(most_, number, each_).bytes + before_; }
  auto may_show(std::uint64_t number) const {
    return turn_.may_show(number,
                          in_place_ ? 0 : all() * stride(number) + static_cast<std::int64_t>(sizeof(place_shown)));
  }
  void show(std::uint64_t number) const {
    if (in_place_) {
      turn_.point_at(number, blocks_.at(0) + static_cast<std::int64_t>(number) * each_, blocks_.bytes(0));
    } else {
      auto* room = turn_.room_for_pieces(number, all(), stride(number));
      for (std::size_t i = 0; i < to_.size(); ++i, room += stride(number)) {
        const int block = static_cast<int>(i);
        if (to_[i] < 0) continue;
        const auto bytes = blocks_.bytes(block);
        const auto now = part::of(bytes, number, each_);
        if (before_ > 0) std::memcpy(room, &bytes, sizeof bytes);
        if (now.bytes > 0) turn_.put(room + before_, blocks_.at(block) + now.at, now.bytes, flow::both_ways);
      }
    }
    turn_.show(number);
  }

 private:
  std::int64_t all() const { return static_cast<std::int64_t>(to_.size()); }

  board_turn& turn_;
  const std::vector<int>& to_;
  const block_table& blocks_;
  std::int64_t each_, most_, before_;
  bool in_place_;
};

}  // namespace

task neighbor_allgather(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  board_turn turn(board, number_of_turn, call.terms.of(call.input.bytes(0)));
  co_await until(turn.my_turn());
  const auto& sources = call.around->source_members();
  const auto bytes = has_any(call.around->destination_members()) ? call.input.bytes(0) : 0, each = turn.slot();
  const contribution mine(turn, call.input.at(0), bytes);
  const auto parts = parts_of(std::max(bytes, most_bytes(call.output, sources)), each);
  for (std::uint64_t number = 0; number < parts; ++number) {
    if (const auto now = part::of(bytes, number, each); now.bytes > 0 || number == 0) {
      co_await until(mine.may_show(number, now));
      mine.show(number, now);
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const int block = static_cast<int>(i);
      const auto expected = call.output.bytes(block);
      const auto now = part::of(expected, number, each);
      if (sources[i] < 0 || (now.bytes == 0 && number > 0)) continue;
      co_await until(turn.shown_by(sources[i], number, call.terms.of(expected)));
      copy_bytes(call.output.at(block) + now.at, turn.what(sources[i], number, now.bytes), now.bytes);
    }
    turn.finish(number);
  }
  turn.end();
  if (mine.in_place()) co_await until(turn.is_read_by_all(parts - 1));
}

task neighbor_alltoall(node_board& board, std::uint64_t number_of_turn, const dense_call& call) {
  // A missing neighbour has an empty block.
  const auto of_each = call.alike ? most_bytes(call.input, call.around->destination_members()) : 0;
  board_turn turn(board, number_of_turn, call.terms.of(of_each));
  co_await until(turn.my_turn());
  const auto& sources = call.around->source_members();
  const auto each = bytes_of_piece(turn, call);
  const numbered_pieces mine(turn, call, each);
  const auto parts = parts_of(std::max(mine.most(), most_bytes(call.output, sources)), each);
  for (std::uint64_t number = 0; number < parts; ++number) {
    if (mine.shows(number)) {
      co_await until(mine.may_show(number));
      mine.show(number);
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const int block = static_cast<int>(i);
      const auto expected = call.output.bytes(block);
      const auto now = part::of(expected, number, each);
      if (sources[i] < 0 || (now.bytes == 0 && number > 0)) continue;
      co_await until(turn.shown_by(sources[i], number, call.terms.of(call.alike ? expected : 0)));
      const auto* from = turn.numbered_piece(sources[i], number, call.arrivals->numbers[i]);
      if (!call.alike) {
        std::int64_t bytes = 0;
        std::memcpy(&bytes, from, sizeof bytes);
        turn.compare_piece(sources[i], bytes, expected, call.terms);
        from += figure;
      }
      copy_bytes(call.output.at(block) + now.at, from, now.bytes);
    }
    turn.finish(number);
  }
  turn.end();
  if (mine.in_place()) co_await until(turn.is_read_by_all(parts - 1));
}

}  // namespace wherry::collective::shared
