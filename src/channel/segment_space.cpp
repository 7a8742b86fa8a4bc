#include "segment_space.hpp"

#include <algorithm>
#include <utility>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/core/settings.hpp"

#include "core/called.hpp"
#include "process_memory.hpp"
#include "segment_block.hpp"
#include "segment_state.hpp"

namespace wherry {
namespace {

constexpr const char* in_segment_space = "segment";
using segment_block::data_at, segment_block::nowhere, segment_block::word, segment_block::words_at;

}  // namespace

channels::segment_space::state::state(const communicator& there, const std::string& name)
    : comm(there),
      called(full_name("segment_space", name)),
      pool(window_pool::of(there)),
      puts(static_cast<std::size_t>(there.size())) {
  const int ranks = comm.size();
  is_one_node = comm.arena() != nullptr && comm.node_ranks().size() == static_cast<std::size_t>(ranks);
  if (ranks == 1) return;  // a single rank needs no window, and Open MPI 4 has none for it
  window = pool->make_dynamic(comm);
  swaps_own_words = must_swap_own_words(comm);
}

channels::segment_space::state::~state() {
  if (window.handle != MPI_WIN_NULL && !detail::is_forked_child()) pool->give_back(window);
}

MPI_Aint channels::segment_space::state::attach(std::byte* memory, std::size_t bytes) {
  const std::lock_guard lock(guard);
  const auto around = std::find_if(pieces.begin(), pieces.end(), [&](const piece& p) {
    return p.begin <= memory && memory < p.end && bytes <= static_cast<std::size_t>(p.end - memory);
  });
  if (around != pieces.end()) {
    ++around->users;
  } else {
    const int status = PMPI_Win_attach(window.handle, memory, static_cast<MPI_Aint>(bytes));
    if (status != MPI_SUCCESS)
      throw error(error_kind::resource, called,
                  detail::text("MPI_Win_attach refuses ", bytes,
                               " bytes: they overlap memory that is attached already, or it takes no more pieces (Open "
                               "MPI 4 takes 32, unless "
                               "the environment has OMPI_MCA_osc_rdma_max_attach=1024 when MPI starts)"),
                  comm.rank());
    pieces.push_back({memory, memory + bytes, 1});
  }
  MPI_Aint address = 0;
  check_mpi(PMPI_Get_address(memory, &address), "MPI_Get_address");
  return address;
}

void channels::segment_space::state::detach(std::byte* memory) noexcept {
  const std::lock_guard lock(guard);
  const auto around =
      std::find_if(pieces.begin(), pieces.end(), [&](const piece& p) { return p.begin <= memory && memory < p.end; });
  if (around == pieces.end() || --around->users > 0) return;
  if (detail::mpi_is_running()) PMPI_Win_detach(window.handle, around->begin);
  pieces.erase(around);
}

channels::segment_space::segment_space(const communicator& comm, const channels::space_options& options)
    : state_(std::make_shared<state>(comm, options.name)) {}
const communicator& channels::segment_space::comm() const { return state_->comm; }
bool channels::segment_space::is_one_node() const { return state_->is_one_node; }

byte_segment::byte_segment(const channels::segment_space& space, const segment_options& options)
    : state_(std::make_shared<state>(space.comm(), options.name)) {
  if (options.notifications < 0 || options.notifications > (1 << 28))
    throw error(error_kind::argument, state_->called,
                detail::text("'notifications' is ", options.notifications, ", expected 0 to 2^28"),
                space.comm().rank());
  const auto ranks = static_cast<std::size_t>(space.comm().size());
  begin_to_count(options);
  notifications_ = options.notifications;
  has_words({state_->comm, space.comm().rank(), nullptr, 0, nullptr, nullptr, state_->called});
  peers_.resize(ranks);
  state_->resize(ranks);
  state_->reaches_through_kernel = options.ways.through_kernel;
  state_->met.resize(ranks);
  state_->limit = current_settings().message_limit;
  state_->space = space.state_;
  state_->puts = &state_->space->puts;
  state_->data.handle = state_->words.handle = space.state_->window.handle;
  state_->swaps_own_words = space.state_->swaps_own_words;
}

channels::segment_ticket byte_segment::offer(std::size_t bytes) {
  return told_as(state_->called, in_segment_space, [&] { return offered(nullptr, bytes); });
}
channels::segment_ticket byte_segment::offer(std::span<std::byte> memory) {
  return told_as(state_->called, in_segment_space, [&] { return offered(memory.data(), memory.size()); });
}

void byte_segment::attach(std::span<std::byte> block, std::span<std::byte> users, channels::segment_ticket& ticket) {
  const auto attached = [this](std::span<std::byte> memory) {
    const auto at = static_cast<std::uint64_t>(state_->space->attach(memory.data(), memory.size()));
    state_->attached.push_back(memory.data());
    return at;
  };
  try {
    const auto block_at = attached(block);
    ticket.words_at = block_at + words_at;
    ticket.data_at = users.empty() ? block_at + data_at(notifications()) : attached(users);
  } catch (...) {
    state_->detach();
    throw;
  }
}

channels::segment_ticket byte_segment::offered(std::byte* users, std::size_t bytes) {
  const auto& comm = state_->comm;
  detail::require_mpi(in_segment_space, comm.rank());
  if (!state_->space || has_part())
    throw error(error_kind::state, in_segment_space, "this rank already has a part of the segment", comm.rank());
  const auto before = data_at(notifications());
  const auto block = segment_block::allocate(comm, before + (users != nullptr ? 0 : bytes));
  auto* const data = users != nullptr ? users : block.get() + before;

  channels::segment_ticket ticket{};
  ticket.bytes = bytes;
  ticket.block = segment_block::place_of(comm, block.get());
  ticket.data = segment_block::place_of(comm, data);
  ticket.aligned = reinterpret_cast<std::uintptr_t>(data) % sizeof(std::uint64_t) == 0;
  const auto process = mark_of_this_process();
  ticket.process = process.process;
  ticket.token_at = process.token_at;
  ticket.token = process.token;
  ticket.address = reinterpret_cast<std::uint64_t>(data);
  if (const auto& space = *state_->space;
      space.window.handle != MPI_WIN_NULL && (!space.is_one_node || (ticket.data == nowhere && bytes != 0)))
    attach({block.get(), before + (users != nullptr ? 0 : bytes)}, {users, users != nullptr ? bytes : 0}, ticket);
  state_->block = block;
  mine_ = {data, bytes};
  has_words({state_->comm, comm.rank(), reinterpret_cast<word*>(block.get() + words_at), notifications(), counts_,
             nullptr, state_->called});
  state_->data.memory = data;
  meet(comm.rank(), ticket);
  return ticket;
}

bool byte_segment::has_part() const { return peers_[static_cast<std::size_t>(comm().rank())].words != nullptr; }

void byte_segment::withdraw() {
  forget(state_->comm.rank());
  state_->detach();
  has_words({state_->comm, state_->comm.rank(), nullptr, 0, nullptr, nullptr, state_->called});
  mine_ = {};
  state_->block.reset();
}

void byte_segment::meet(int rank, const channels::segment_ticket& theirs) {
  peer_at("rank", rank);
  const auto& comm = state_->comm;
  peer found;
  found.bytes = static_cast<std::size_t>(theirs.bytes);
  const int node_index = comm.node_index(rank);
  if (node_index >= 0 && theirs.block != nowhere && comm.arena() != nullptr) {
    auto* const block = comm.arena()->address(node_index, static_cast<std::size_t>(theirs.block));
    found.words = reinterpret_cast<word*>(block + words_at);
    if (theirs.data != nowhere) found.memory = comm.arena()->address(node_index, static_cast<std::size_t>(theirs.data));
    if (found.bytes == 0) found.memory = block;  // nothing is read or written there
  }
  if (rank == comm.rank()) {
    found.memory = mine_.data();
    found.words = reinterpret_cast<word*>(state_->block.get() + words_at);
  }
  const auto place = static_cast<std::size_t>(rank);
  const process_mark process{theirs.process, theirs.token_at, theirs.token};
  const bool is_across = state_->reaches_through_kernel && found.words != nullptr && found.memory == nullptr;
  state_->across[place] = {};
  if (is_across && can_reach(process)) state_->across[place] = {theirs.process, theirs.address};
  state_->met[place] = {static_cast<MPI_Aint>(theirs.data_at), static_cast<MPI_Aint>(theirs.words_at),
                        theirs.aligned != 0};
  peers_[place] = found;
}

void byte_segment::forget(int rank) {
  peer_at("rank", rank);
  peers_[static_cast<std::size_t>(rank)] = {};
}

}  // namespace wherry
