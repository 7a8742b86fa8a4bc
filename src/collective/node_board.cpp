#include "node_board.hpp"

#include <new>

#include "wherry/core/error.hpp"
#include "wherry/core/node_arena.hpp"

#include "channel/segment_block.hpp"
#include "core/collective.hpp"

namespace wherry::collective {
namespace {

constexpr std::int64_t usual_slot = 128 << 10;
/// Of a slot, where each gets a piece of it.
constexpr std::int64_t least_piece = 1024;
constexpr std::int64_t part_at = segment_block::line;

}  // namespace

node_board::node_board(const communicator& comm) : ranks_(comm.node_ranks()), me_(comm.node_index(comm.rank())) {
  const auto members = static_cast<std::int64_t>(ranks_.size());
  slot_ = std::max(usual_slot, members * least_piece);
  std::uint64_t mine = 0;
  collectively(comm, "collective", [&] {
    const auto slots = static_cast<std::int64_t>(board_part::depth) * slot_;
    block_ = segment_block::allocate_shared(comm, static_cast<std::size_t>(part_at + slots_at_ + slots));
    new (block_.get() + part_at) board_part;
    mine = segment_block::place_of(comm, block_.get());
  });
  const auto places = patient::allgather(comm, "collective", mine);
  for (std::size_t m = 0; m < ranks_.size(); ++m)
    parts_.push_back(
        static_cast<int>(m) == me_
            ? reinterpret_cast<board_part*>(block_.get() + part_at)
            : reinterpret_cast<board_part*>(
                  comm.arena()->address(static_cast<int>(m), places[static_cast<std::size_t>(ranks_[m])]) + part_at));
}

void board_turn::throw_broken() {
  throw error(error_kind::state, "collective", "an earlier collective of this communicator was given up");
}

}  // namespace wherry::collective
