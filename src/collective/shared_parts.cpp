#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/cache_line.hpp"
#include "shared.hpp"

namespace wherry::collective::shared {
namespace {

constexpr std::int64_t cache_line = 64;

}  // namespace

part part::of(std::int64_t whole, std::uint64_t number, std::int64_t each) {
  const auto at = std::min(whole, static_cast<std::int64_t>(number) * each);
  return {at, std::min(each, whole - at)};
}

std::uint64_t parts_of(std::int64_t whole, std::int64_t each) {
  if (whole <= each) return 1;  // most calls need no division
  return static_cast<std::uint64_t>((whole + each - 1) / each);
}

void copy_bytes(std::byte* to, const std::byte* from, std::int64_t bytes) {
  if (bytes > 0 && to != from) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

std::int64_t most_bytes(const block_table& blocks, const board_turn& turn) {
  if (blocks.alike()) return blocks.bytes(0);
  std::int64_t most = 0;
  for (int m = 0; m < turn.members(); ++m)
    if (m != turn.me()) most = std::max(most, blocks.bytes(m));
  return most;
}

contribution::contribution(board_turn& turn, const std::byte* data, std::int64_t bytes, bool stays, flow way)
    : turn_(turn),
      data_(data),
      way_(way),
      in_place_(stays && bytes >= least_in_place && turn.is_shared(data) && turn.may_stay(bytes, way)) {}

void contribution::show(std::uint64_t number, const part& now) const {
  if (in_place_ && now.bytes > shown_bytes::room) {
    turn_.point_at(number, data_ + now.at);
  } else {
    auto* const room = turn_.room_for(number, now.bytes);
    if (now.bytes > 0) turn_.put(room, data_ + now.at, now.bytes, way_);
  }
  turn_.show(number);
}

// Equal blocks take no more of a slot than they need, so that everything small fits in a record. Blocks of different
// sizes are known only to the member that shows them, which says in the record where they stand.
pieces::pieces(board_turn& turn, const dense_call& call, std::int64_t bytes, std::int64_t granule, flow way)
    : turn_(turn), terms_(call.terms), figure_(granule % 16 == 0 ? 16 : 8), way_(way), alike_(call.alike) {
  const auto most = (paired() ? turn.slot() : turn.slot() / turn.members()) - (alike_ ? 0 : cache_line);
  each_ = granule > 1 ? most / granule * granule : most / cache_line * cache_line;
  if (alike_) each_ = std::min(each_, bytes);
  whole_ = each_ * turn.members();
  each_ = std::max<std::int64_t>(1, each_);
  if (alike_) take(each_, whole_ <= shown_bytes::room);
}

/// Divides the slot among pieces of the longest size. In a pair only one piece is shown at a time, which may take the
/// whole slot.
void pieces::take(std::int64_t longest, bool in_the_record) {
  const bool apart = paired() && !in_the_record;
  stride_ = apart ? 0 : longest;
  taken_ = in_the_record ? 0 : std::max(apart ? longest : longest * turn_.members(), shown_bytes::room + 1);
}

void pieces::give(const block_table& blocks, bool stays) {
  blocks_ = &blocks;
  in_place_ = stays && alike_ && blocks.alike() && whole_ >= least_in_place && turn_.is_shared(blocks.at(0)) &&
              turn_.may_stay(blocks.bytes(0), way_);
  if (alike_) return;
  const auto longest = std::min(each_, most_bytes(blocks, turn_)) + figure_;
  if (turn_.pieces_fit_record(turn_.members(), longest)) return take(longest, true);
  const auto lines = in_lines(longest);  // pieces of different readers share no cache line
  take(!paired() && lines * turn_.members() <= turn_.slot() ? lines : longest, false);
}

std::byte* pieces::room(std::uint64_t number) const {
  if (taken_ == 0 && !alike_) return turn_.room_for_pieces(number, turn_.members(), stride_);
  return turn_.room_for(number, taken_ == 0 ? whole_ : taken_, stride_);
}

void pieces::show(std::uint64_t number) const {
  if (in_place_) {
    turn_.point_at(number, blocks_->at(0) + static_cast<std::int64_t>(number) * each_, blocks_->bytes(0));
  } else {
    auto* const memory = room(number);
    for (int i = 1; i < turn_.members(); ++i) {
      const int to = other(turn_, i);
      const auto bytes = blocks_->bytes(to);
      const auto now = part::of(bytes, number, each_);
      auto* there = memory + to * stride_;
      if (!alike_) {
        std::memcpy(there, &bytes, sizeof bytes);
        there += figure_;
      }
      if (now.bytes > 0) turn_.put(there, blocks_->at(to) + now.at, now.bytes, way_);
    }
  }
  turn_.show(number);
}

const std::byte* pieces::from(int member, std::uint64_t number, std::int64_t bytes_of_block) const {
  if (alike_) return turn_.piece(member, number, whole_, turn_.me(), each_);
  const auto* const there = turn_.numbered_piece(member, number, turn_.me());
  std::int64_t bytes = 0;
  std::memcpy(&bytes, there, sizeof bytes);
  turn_.compare_piece(member, bytes, bytes_of_block, terms_);
  return there + figure_;
}

}  // namespace wherry::collective::shared
