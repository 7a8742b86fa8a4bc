#include "communicator_state.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

#include "wherry/core/error.hpp"

#include "channel/segment_block.hpp"
#include "core/collective.hpp"
#include "core/communicator_attribute.hpp"
#include "exchange_work.hpp"

namespace wherry::sparse {
namespace {

constexpr std::string_view where = "sparse_exchange";

/// The attribute of the private duplicate.
struct kept_state {
  std::shared_ptr<communicator_state> state;
  explicit kept_state(std::shared_ptr<communicator_state> made) : state(std::move(made)) {}
  kept_state(const kept_state&) = delete;
  kept_state& operator=(const kept_state&) = delete;
  ~kept_state() { state->has_ended = true; }
};

std::mutex& guard() {
  static std::mutex one;
  return one;
}

}  // namespace

std::shared_ptr<communicator_state> communicator_state::of(const communicator& comm) {
  // A thread mostly asks for the same communicator again. Serial numbers are never used twice.
  struct asked {
    std::uint64_t serial = 0;
    std::weak_ptr<communicator_state> state;
  };
  thread_local asked last;
  const auto serial = comm.serial();
  if (last.serial == serial && serial != 0 && !wherry::detail::ranks_share_a_process)
    if (auto known = last.state.lock()) return known;
  auto found = find_or_make(comm);
  last = {serial, found};
  return found;
}

std::shared_ptr<communicator_state> communicator_state::find_or_make(const communicator& comm) {
  using attribute = communicator_attribute<kept_state>;
  const MPI_Comm handle = comm.private_handle();
  {
    const std::lock_guard lock(guard());
    if (const auto* const kept = attribute::find(handle)) return kept->state;
  }
  auto made = std::make_shared<communicator_state>(comm);
  const std::lock_guard lock(guard());
  return attribute::set(handle, std::make_unique<kept_state>(std::move(made))).state;
}

communicator_state::communicator_state(const communicator& on) : comm(on), mail_(consensus_mail::of(comm)) {
  make_board();
}

// The arena gives the memory back when all ranks of the node have left, because a slower one may still read it.
communicator_state::~communicator_state() {
  for (auto& one : buffers_) one->shared.retire([] { return false; });
}

void communicator_state::make_board() {
  const auto& node = comm.node_ranks();
  const auto members = static_cast<int>(node.size());
  const bool can_share = members > 1 && comm.arena() != nullptr;
  // Eight exchanges at once; one between several nodes may have a number for each hop.
  const std::size_t kept = members == comm.size() ? cell_part::most_kept / hops_of_call : cell_part::most_kept;
  const auto bytes = segment_block::line + cell_board::bytes_of_part(members, kept);
  std::uint64_t place = 0;
  wherry::detail::collectively(comm, where, [&] {
    if (!can_share) return;
    block_ = segment_block::allocate_shared(comm, bytes);
    cell_board::make_part(block_.get() + segment_block::line, members, kept);
    place = segment_block::place_of(comm, block_.get());
  });
  struct member {
    std::uint64_t place;
    std::int32_t members, first_of_node;
  };
  const auto all = patient::allgather(comm, where, member{place, can_share ? members : 0, node.front()});
  std::vector<int> first_of_node;
  for (const auto& one : all) first_of_node.push_back(one.first_of_node);
  nodes = node_map(first_of_node);
  one_node_ = std::ranges::all_of(all, [&](const member& one) { return one.members == comm.size(); });
  if (comm.size() == 1) one_node_ = true;
  if (!can_share) return;
  std::vector<std::byte*> parts;
  for (int m = 0; m < members; ++m)
    parts.push_back(comm.arena()->address(m, all[static_cast<std::size_t>(node[static_cast<std::size_t>(m)])].place) +
                    segment_block::line);
  board = cell_board(std::move(parts), comm.node_index(comm.rank()), kept);
  shares_ = true;
}

// The cells of all hops that there can be, whether this rank uses them or not: others may, in a call that is not the
// same everywhere. On one node there is one hop.
communicator_state::cells_of_call communicator_state::next_call() {
  const std::lock_guard lock(guard_);
  cells_of_call cells;
  for (auto& hop : cells) {
    hop.number = next_call_++;
    if (shares_ && (&hop == cells.data() || nodes.nodes() > 1)) hop.before = board.reserve(hop.number);
  }
  return cells;
}

// The ranks of a node watch the line in which cells are finished, so it is written once a call.
void communicator_state::end_call(const cells_of_call& cells, send_buffer* lent) {
  const std::lock_guard lock(guard_);
  if (lent != nullptr) {
    lent->last_call = shares_ ? cells[0].number : 0;
    lent->is_taken = false;
  }
  if (!shares_ || has_ended) return;
  for (const auto& hop : cells) board.finish(hop.number);
}

bool communicator_state::is_free(const send_buffer& one) const {
  if (one.is_taken) return false;
  if (one.last_call == 0 || !shares_) return true;
  for (int m = 0; m < board.members(); ++m)
    if (!board.is_finished(m, one.last_call)) return false;
  return true;
}

send_buffer& communicator_state::take_buffer(std::size_t bytes, bool by_runs) {
  const std::lock_guard lock(guard_);
  send_buffer* best = nullptr;
  for (auto& one : buffers_) {
    if (!is_free(*one)) continue;
    if (best == nullptr || (best->capacity < bytes && one->capacity > best->capacity)) best = one.get();
  }
  if (best == nullptr) best = buffers_.emplace_back(std::make_unique<send_buffer>()).get();
  if (best->capacity < bytes || best->capacity == 0) allocate(*best, bytes);
  best->data = best->own == nullptr || (by_runs && best->shown != nullptr) ? best->shown : best->own.get();
  best->is_taken = true;
  return *best;
}

void communicator_state::allocate(send_buffer& one, std::size_t bytes) {
  constexpr std::size_t least = 4096;
  const auto capacity = bytes < (std::size_t{1} << 40) ? std::bit_ceil(std::max(bytes, least)) : bytes;
  one.shared = {};
  one.own.reset();
  one.shown = nullptr;
  one.capacity = 0;
  one.last_call = 0;
  if (shares_) {
    one.shared = arena_block(comm, capacity);
    one.shown = one.shared.data();
  }
  if (!shares_ || capacity <= send_buffer::most_copied) {
    try {
      one.own.reset(new std::byte[capacity]);
    } catch (const std::bad_alloc&) {
      throw error(error_kind::resource, where, detail::text("there is no memory for ", bytes, " bytes that leave"),
                  comm.rank());
    }
  }
  one.capacity = capacity;
}

std::unique_ptr<exchange_work> communicator_state::take_work() {
  const std::lock_guard lock(guard_);
  if (parked_.empty()) return std::make_unique<exchange_work>();
  auto work = std::move(parked_.back());
  parked_.pop_back();
  return work;
}

void communicator_state::park(std::unique_ptr<exchange_work> ended) noexcept {
  constexpr std::size_t most = 8;
  const std::lock_guard lock(guard_);
  if (parked_.capacity() == 0) parked_.reserve(most);
  if (parked_.size() < most) parked_.push_back(std::move(ended));
}

void communicator_state::give_back(send_buffer& lent, std::uint64_t last_call) {
  const std::lock_guard lock(guard_);
  lent.last_call = last_call;
  lent.is_taken = false;
}

}  // namespace wherry::sparse
