// The collective creation of a segment: the ranks learn of each other's parts, and which of them they reach by loads
// and stores.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "wherry/core/allocation.hpp"
#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"
#include "wherry/core/node_arena.hpp"
#include "wherry/core/settings.hpp"

#include "core/called.hpp"
#include "core/collective.hpp"
#include "core/terms.hpp"
#include "process_memory.hpp"
#include "segment_block.hpp"
#include "segment_state.hpp"
#include "window_parts.hpp"

namespace wherry {
namespace {

constexpr const char* in_segment_creation = "segment";
using segment_block::data_at, segment_block::departures, segment_block::nowhere, segment_block::word,
    segment_block::words_at;

}  // namespace

/// Describes a rank's part to the other ranks.
struct byte_segment::announcement {
  std::uint64_t bytes, block, data;  // `block` and `data` are places in the arena
  bool in_window, aligned;
  process_mark process;
  std::uint64_t address;  // of the data, in the owner's process
};

/// The memory of this rank's part.
class byte_segment::origin {
 public:
  explicit origin(std::size_t bytes) : bytes_(bytes) {}
  explicit origin(std::span<std::byte> users) : memory_(users.data()), bytes_(users.size()), is_users_(true) {}
  explicit origin(shared_window shared) : is_users_(true), window_(shared.window), is_window_(true) {}

  /// @throws error(argument)
  void check(const communicator& comm) {
    if (is_window_) {
      for (const auto& part : parts_of_window(comm, window_, in_segment_creation, "'memory'"))
        parts_.push_back(part.value_or(std::span<std::byte>()));
      const auto mine = parts_[static_cast<std::size_t>(comm.node_index(comm.rank()))];
      memory_ = mine.data();
      bytes_ = mine.size();
    }
    if (is_users_ && memory_ == nullptr && bytes_ != 0)
      throw error(error_kind::argument, in_segment_creation,
                  detail::text("'memory' is null, expected ", bytes_, " bytes there"), comm.rank());
  }

  std::size_t bytes() const { return bytes_; }
  bool is_users() const { return is_users_; }
  bool is_window() const { return is_window_; }
  std::byte* memory() const { return memory_; }
  /// The part of another rank of the node; null: it is not in the window.
  std::byte* in_window(int node_index) const { return parts_[static_cast<std::size_t>(node_index)].data(); }

 private:
  std::byte* memory_ = nullptr;
  std::size_t bytes_ = 0;
  bool is_users_ = false;
  MPI_Win window_ = MPI_WIN_NULL;
  bool is_window_ = false;
  std::vector<std::span<std::byte>> parts_;
};

byte_segment::byte_segment(const communicator& comm, std::size_t bytes, const segment_options& options)
    : byte_segment(comm, origin(bytes), options) {}
byte_segment::byte_segment(const communicator& comm, std::span<std::byte> memory, const segment_options& options)
    : byte_segment(comm, origin(memory), options) {}
byte_segment::byte_segment(const communicator& comm, shared_window memory, const segment_options& options)
    : byte_segment(comm, origin(memory), options) {}

byte_segment::announcement byte_segment::announcement_of(bool in_window) const {
  const auto offset = [this](const std::byte* p) { return segment_block::place_of(state_->comm, p); };
  const bool aligned = reinterpret_cast<std::uintptr_t>(mine_.data()) % sizeof(std::uint64_t) == 0;
  return {mine_.size(),
          offset(state_->block.get()),
          offset(mine_.data()),
          in_window,
          aligned,
          mark_of_this_process(),
          reinterpret_cast<std::uint64_t>(mine_.data())};
}

void byte_segment::reach(peer& found, int node_index, const announcement& theirs, const origin& source) {
  auto* const block = state_->comm.arena()->address(node_index, static_cast<std::size_t>(theirs.block));
  state_->departed.push_back(reinterpret_cast<departures*>(block));
  found.words = reinterpret_cast<word*>(block + words_at);
  if (theirs.data != nowhere)
    found.memory = state_->comm.arena()->address(node_index, static_cast<std::size_t>(theirs.data));
  else if (source.is_window() && theirs.in_window)
    found.memory = source.in_window(node_index);
}

/// The rank has memory of the user's, so its block has a table of rings.
void byte_segment::reach_by_staging(int rank) {
  const auto& theirs = peers_[static_cast<std::size_t>(rank)];
  auto* const block = reinterpret_cast<std::byte*>(theirs.words) - words_at;
  auto* const table = reinterpret_cast<staged_table*>(block + data_at(notifications()));
  const auto place = static_cast<std::size_t>(rank);
  state_->tables[place] = table;
  if (theirs.memory == nullptr && state_->most_staged > 0)
    state_->staged[place] = std::make_unique<staged_writer>(state_->comm, *table);
  if (rank == state_->comm.rank() && state_->comm.node_ranks().size() > 1) tells_of(&state_->arrivals[place]);
}

byte_segment::byte_segment(const communicator& comm, const origin& from, const segment_options& options)
    : state_(std::make_shared<state>(comm, options.name)) {
  told_as(state_->called, in_segment_creation, [&] { make_together(from, options); });
}

void byte_segment::make_together(const origin& from, const segment_options& options) {
  const auto& comm = state_->comm;
  auto source = from;
  begin_to_count(options);
  const terms agreed([&](auto& say) {
    say(options.notifications, "'notifications'");
    for (const auto& s : settings_that_must_agree()) say(s.value, s.name);
  });
  collectively_on(agreed, comm, in_segment_creation, [&] {
    if (options.notifications < 0 || options.notifications > (1 << 28))
      throw error(error_kind::argument, in_segment_creation,
                  detail::text("'notifications' is ", options.notifications, ", expected 0 to 2^28"), comm.rank());
    source.check(comm);
    const auto before = data_at(options.notifications);
    const auto data = source.is_users() ? staged_table::bytes(comm.node_ranks().size()) : source.bytes();
    if (data > std::numeric_limits<std::size_t>::max() / 2)
      detail::throw_out_of_memory(in_segment_creation, "a segment", data, comm.rank());
    state_->block = segment_block::allocate_shared(comm, before + data, state_->block_is_gone);
    new (state_->block.get()) departures(0);
    auto* const words = reinterpret_cast<word*>(state_->block.get() + words_at);
    notifications_ = options.notifications;
    has_words({state_->comm, comm.rank(), words, options.notifications, counts_, nullptr, state_->called});
    mine_ = {source.is_users() ? source.memory() : state_->block.get() + before, source.bytes()};
    peers_.resize(static_cast<std::size_t>(comm.size()));
    state_->resize(peers_.size());
  });
  state_->limit = current_settings().message_limit;
  state_->most_staged = std::min(current_settings().staged_write, staged_ring::most_bytes);

  const auto all = patient::allgather(comm, in_segment_creation, announcement_of(source.is_window()));
  bool reach_all = true, aligned = true;
  for (int rank = 0; rank < comm.size(); ++rank) {
    const auto& theirs = all[static_cast<std::size_t>(rank)];
    auto& p = peers_[static_cast<std::size_t>(rank)];
    p.bytes = static_cast<std::size_t>(theirs.bytes);
    if (const int node_index = comm.node_index(rank); node_index >= 0 && theirs.block != nowhere)
      reach(p, node_index, theirs, source);
    if (rank == comm.rank()) p = {mine_.data(), mine_.size(), reinterpret_cast<word*>(state_->block.get() + words_at)};
    if (p.words != nullptr && p.bytes == 0) p.memory = state_->block.get();  // nothing is read or written there
    if (p.words != nullptr && p.memory == nullptr && options.ways.through_kernel && can_reach(theirs.process))
      state_->across[static_cast<std::size_t>(rank)] = {theirs.process.process, theirs.address};
    if (p.words != nullptr && p.bytes != 0 && theirs.block != nowhere && theirs.data == nowhere) reach_by_staging(rank);
    reach_all = reach_all && p.memory != nullptr;
    aligned = aligned && theirs.aligned != 0;
  }
  state_->words_are_aligned = aligned;
  // The answer also means that all ranks have made everything that the others will use.
  if (patient::allreduce(comm, in_segment_creation, std::vector{reach_all ? 1 : 0}, patient::least)[0] != 0) return;
  state_->open_windows(mine_, {state_->block.get() + words_at, data_at(options.notifications) - words_at});
}

}  // namespace wherry
