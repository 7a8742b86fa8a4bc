#include "node_board.hpp"

#include <bit>
#include <new>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/settings.hpp"

#include "channel/segment_block.hpp"
#include "core/arena_block.hpp"
#include "core/collective.hpp"
#include "core/crowding.hpp"

namespace wherry::collective {
namespace {

constexpr std::int64_t usual_slot = 128 << 10;
/// The smallest piece of a slot, if each member gets a piece.
constexpr std::int64_t least_piece = 1024;
constexpr std::int64_t part_at = segment_block::line, line = segment_block::line;
/// The memory of each communicator: the part, followed by memory for short showings.
constexpr std::int64_t pages = 8192, memory_at = part_at + static_cast<std::int64_t>(sizeof(node_board_part));
static_assert(memory_at % line == 0 && memory_at < pages);

constexpr int bits_of_member = 20;

/// Node-shared memory, or null.
std::shared_ptr<std::byte> memory_if_there_is(const communicator& comm, std::int64_t bytes) {
  try {
    return segment_block::allocate_shared(comm, static_cast<std::size_t>(bytes));
  } catch (const error& failure) {
    if (failure.kind() != error_kind::resource) throw;
    return nullptr;
  }
}

}  // namespace

node_board::node_board(const communicator& comm, call_sequence& sequence)
    : comm_(comm),
      sequence_(sequence),
      arena_(comm.arena()),
      ranks_(comm.node_ranks()),
      me_(comm.node_index(comm.rank())),
      crowded_(node_is_crowded()),
      least_in_place_(current_settings().one_copy_row) {
  const auto members = static_cast<std::int64_t>(ranks_.size());
  slot_ = std::max(usual_slot, members * least_piece);
  std::uint64_t mine = 0;
  wherry::detail::collectively(comm, "collective", [&] {
    // Checks that there will be enough memory.
    if (arena_ != nullptr) arena_block(comm, static_cast<std::size_t>(line + slots * slot_));
    block_ = segment_block::allocate_shared(comm, static_cast<std::size_t>(pages));
    new (block_.get() + part_at) node_board_part;
    mine = segment_block::place_of(comm, block_.get());
  });
  struct member {
    std::uint64_t place, crowded;
  };
  const auto all = patient::allgather(comm, "collective", member{mine, crowded_ ? 1U : 0U});
  const auto of = [&](std::size_t m) { return all[static_cast<std::size_t>(ranks_[m])]; };
  for (std::size_t m = 0; m < ranks_.size(); ++m) {
    const bool own = static_cast<int>(m) == me_;
    arenas_.push_back(arena_ != nullptr ? arena_->address(static_cast<int>(m), 0) : block_.get());
    parts_.push_back(reinterpret_cast<node_board_part*>((own ? block_.get() : arenas_.back() + of(m).place) + part_at));
    crowded_ = crowded_ || of(m).crowded != 0;
  }
  std::vector<notice_board> notices;
  for (auto* const one : parts_) notices.push_back({&one->notice, &one->news});
  sequence_.share(std::move(notices), me_);
  memory_ = block_.get() + memory_at;
  mine_ = board_ring<node_board_part::depth>(pages - memory_at);
}

void node_board::grow(std::int64_t bytes, std::uint64_t turn) {
  const auto wanted = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(together * bytes)));
  const auto most = slots * slot_;
  const auto least = std::min(slots * bytes, most);  // this much may have to be shown at once
  auto capacity = std::min(wanted, most);
  for (; capacity >= least && capacity > mine_.capacity(); capacity /= 2) {
    auto more = memory_if_there_is(comm_, line + capacity);
    if (more == nullptr) continue;
    more_.push_back(std::move(more));
    memory_ = more_.back().get() + line;
    return mine_.move_to(capacity);
  }
  grows_ = false;
  if (mine_.capacity() >= least) return;
  tell_failure(turn);
  throw_failed(parts_[0]->failed.load(), turn);
}

void node_board::tell_failure(std::uint64_t turn) {
  const auto mine = ((turn + 1) << bits_of_member) + static_cast<std::uint64_t>(me_);
  auto& failed = parts_[0]->failed;
  auto told = failed.load();
  while ((told == 0 || mine < told) && !failed.compare_exchange_weak(told, mine)) {
  }
}

void node_board::throw_failed(std::uint64_t told, std::uint64_t turn) const {
  if ((told >> bits_of_member) > turn + 1) return;
  const int rank = rank_of(static_cast<int>(told & ((1U << bits_of_member) - 1)));
  throw error(error_kind::resource, "collective",
              wherry::detail::text("rank ", rank, " found no node-shared memory for the data that it shows the others"),
              comm_.rank(), {rank});
}

void board_turn::throw_broken() {
  throw error(error_kind::state, "collective", "an earlier collective of this communicator was given up");
}

}  // namespace wherry::collective
