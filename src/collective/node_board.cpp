#include "node_board.hpp"

#include <unistd.h>

#include <bit>
#include <new>

#include "wherry/core/error.hpp"

#include "channel/segment_block.hpp"
#include "core/arena_block.hpp"
#include "core/collective.hpp"

namespace wherry::collective {
namespace {

constexpr std::int64_t usual_slot = 128 << 10;
/// Of a slot, where each gets a piece of it.
constexpr std::int64_t least_piece = 1024;
constexpr std::int64_t part_at = segment_block::line, line = segment_block::line;
/// Of what all communicators have: the part, and behind it memory for what is short.
constexpr std::int64_t pages = 8192, memory_at = part_at + static_cast<std::int64_t>(sizeof(board_part));
static_assert(memory_at % line == 0 && memory_at < pages);

}  // namespace

node_board::node_board(const communicator& comm)
    : comm_(comm),
      arena_(comm.arena()),
      ranks_(comm.node_ranks()),
      me_(comm.node_index(comm.rank())),
      crowded_(static_cast<long>(ranks_.size()) > sysconf(_SC_NPROCESSORS_ONLN)) {
  const auto members = static_cast<std::int64_t>(ranks_.size());
  slot_ = std::max(usual_slot, members * least_piece);
  std::uint64_t mine = 0;
  collectively(comm, "collective", [&] {
    if (arena_ != nullptr) arena_block(comm, static_cast<std::size_t>(line + slots * slot_));  // there will be enough
    block_ = segment_block::allocate_shared(comm, static_cast<std::size_t>(pages));
    new (block_.get() + part_at) board_part;
    mine = segment_block::place_of(comm, block_.get());
  });
  const auto places = patient::allgather(comm, "collective", mine);
  for (std::size_t m = 0; m < ranks_.size(); ++m) {
    const bool own = static_cast<int>(m) == me_;
    arenas_.push_back(arena_ != nullptr ? arena_->address(static_cast<int>(m), 0) : block_.get());
    parts_.push_back(reinterpret_cast<board_part*>(
        (own ? block_.get() : arenas_.back() + places[static_cast<std::size_t>(ranks_[m])]) + part_at));
  }
  memory_ = block_.get() + memory_at;
  mine_ = board_ring<board_part::depth>(pages - memory_at);
}

void node_board::grow(std::int64_t bytes) {
  const auto wanted = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(together * bytes)));
  const auto capacity = std::min(wanted, slots * slot_);
  more_.push_back(segment_block::allocate_shared(comm_, static_cast<std::size_t>(line + capacity)));
  memory_ = more_.back().get() + line;
  mine_.move_to(capacity);
}

void board_turn::throw_broken() {
  throw error(error_kind::state, "collective", "an earlier collective of this communicator was given up");
}

}  // namespace wherry::collective
