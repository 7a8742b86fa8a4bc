#include "byte_channel_state.hpp"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <span>

#include "wherry/core/mpi.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "core/collective.hpp"
#include "core/communicator_attribute.hpp"
#include "core/patience.hpp"

namespace wherry {
namespace {

// Shared, because streams that go on by themselves may outlive the communicator.
using attribute = communicator_attribute<std::shared_ptr<channel_state>>;

// Tags above those that `communicator::next_tag` gives: first the users' tags, then pairs of tags for the windows of
// streams.
int largest_tag() {
  int* limit = nullptr;
  int found = 0;
  PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&limit), &found);
  return found != 0 ? *limit : 32767;
}
int first_users_tag() { return largest_tag() / 2 + 1; }
int first_body_tag() { return largest_tag() - largest_tag() / 8; }

std::mutex& attribute_guard() {
  static std::mutex guard;
  return guard;
}

}  // namespace

detail::stream_tag detail::stream_tag::of_user(const communicator& comm, int tag, std::string_view where) {
  detail::check_that_mpi_runs(where);
  if (tag < 0 || tag > largest(comm))
    throw error(error_kind::argument, where, detail::text("'tag' is ", tag, ", expected 0 to ", largest(comm)),
                comm.rank());
  return detail::stream_tag(first_users_tag() + tag);
}

bool detail::stream_tag::is_users() const { return mpi_ >= first_users_tag(); }

int detail::stream_tag::largest(const communicator&) { return first_body_tag() - first_users_tag() - 1; }

std::shared_ptr<channel_state> channel_state::of(const communicator& comm) {
  const std::lock_guard lock(attribute_guard());
  if (const auto* kept = attribute::find(comm.private_handle())) return *kept;
  auto made = std::make_shared<channel_state>(comm.rank(), comm.size());
  return attribute::set(comm.private_handle(), std::make_unique<std::shared_ptr<channel_state>>(std::move(made)));
}

ring_writer* channel_state::take_ring(const communicator& comm, ring_use use) {
  const std::lock_guard lock(guard_);
  for (auto& r : rings_)
    if (!r.taken && r.use == use && r.ring->drained()) {
      r.taken = true;
      return r.ring.get();
    }
  rings_.push_back({std::make_unique<ring_writer>(comm, use == ring_use::pair ? 1 : 0), use, true});
  return rings_.back().ring.get();
}

ring_writer* channel_state::take_broadcast_ring(std::uint64_t stream) {
  const std::lock_guard lock(guard_);
  for (const auto& [earlier, how] : awaited_)
    if (earlier < stream && how.may_be_published) return nullptr;
  for (auto& r : rings_)
    if (!r.taken && r.use == ring_use::broadcast) {
      r.taken = true;
      return r.ring.get();
    }
  return nullptr;
}

void channel_state::give_back(ring_writer& ring) {
  const std::lock_guard lock(guard_);
  for (auto& r : rings_)
    if (r.ring.get() == &ring) r.taken = false;
}

std::unique_ptr<first_piece> channel_state::take_piece() {
  const std::lock_guard lock(guard_);
  if (pieces_.empty()) return std::unique_ptr<first_piece>(new first_piece);
  auto piece = std::move(pieces_.back());
  pieces_.pop_back();
  piece->head = {};
  return piece;
}

void channel_state::give_back(std::unique_ptr<first_piece> piece) {
  constexpr std::size_t worth_keeping = 16;
  const std::lock_guard lock(guard_);
  if (piece && pieces_.size() < worth_keeping) pieces_.push_back(std::move(piece));
}

int next_body_tag() {
  static std::atomic<std::uint64_t> given{0};
  const auto pairs = static_cast<std::uint64_t>(largest_tag() - first_body_tag()) / 2;
  return first_body_tag() + 2 * static_cast<int>(++given % pairs);
}

void channel_state::was_root_of(broadcast_call call) {
  const std::lock_guard lock(guard_);
  was_root_of_ = call;
}

std::optional<broadcast_call> channel_state::last_root_of() {
  const std::lock_guard lock(guard_);
  return std::exchange(was_root_of_, std::nullopt);
}

void channel_state::await(std::uint64_t stream, bool may_be_published) {
  const std::lock_guard lock(guard_);
  awaited_[stream].may_be_published = may_be_published;
}

void channel_state::await_no_more(std::uint64_t stream) {
  const std::lock_guard lock(guard_);
  awaited_.erase(stream);
}

bool channel_state::is_awaited(std::uint64_t stream) {
  const std::lock_guard lock(guard_);
  return awaited_.contains(stream);
}

bool channel_state::may_leave(std::uint64_t stream) {
  const std::lock_guard lock(guard_);
  if (const auto one = awaited_.find(stream); one != awaited_.end()) one->second.is_left = true;
  return std::all_of(awaited_.begin(), awaited_.lower_bound(stream),
                     [](const auto& earlier) { return earlier.second.is_left; });
}

channel_state::place channel_state::make_broadcast_ring(const communicator& comm) {
  const auto& node = comm.node_ranks();
  place mine{0, static_cast<std::uint64_t>(comm.rank()), 0};
  try {
    const bool shared = streams_share_memory(comm) && node.size() > 1;
    if (streams_go_by_messages()) mine.said |= place::by_messages;
    if (shared) mine.first_rank = static_cast<std::uint64_t>(node.front());
    const int myself = comm.node_index(comm.rank());
    auto ring = std::make_unique<ring_writer>(comm, shared ? static_cast<int>(node.size()) : 0, myself);
    mine.offset = ring->offset();
    rings_.push_back({std::move(ring), ring_use::broadcast, false});
  } catch (...) {
    mine.said |= place::failed;
  }
  return mine;
}

// The agreement combines all ranks' lists by OR: each rank fills its own place and leaves zeros in all others.
void channel_state::arrange(const communicator& comm) {
  std::vector<place> told(static_cast<std::size_t>(comm.size()));
  told[static_cast<std::size_t>(comm.rank())] = make_broadcast_ring(comm);
  const auto bytes = std::as_bytes(std::span(told));
  arranging_ = std::make_unique<arrangement>(comm);
  arranging_->all.enter({bytes.begin(), bytes.end()}, [](std::span<std::byte> into, std::span<const std::byte> from) {
    std::transform(into.begin(), into.end(), from.begin(), into.begin(), std::bit_or());
  });
}

void channel_state::look_at_places(const communicator& comm, const std::vector<place>& told) {
  auto fresh = std::make_unique<broadcast_places>();
  for (std::size_t rank = 0; rank < told.size(); ++rank) {
    if ((told[rank].said ^ told[0].said) == place::by_messages)
      throw error(error_kind::mismatch, "broadcast",
                  detail::text("ranks 0 and ", rank, " disagree on the setting WHERRY_TRANSPORT"), comm.rank());
    if ((told[rank].said & place::failed) != 0)
      throw error(error_kind::resource, "broadcast",
                  detail::text("rank ", rank, " cannot allocate memory for broadcasts"), comm.rank(),
                  {static_cast<int>(rank)});
    fresh->first_of_node.push_back(static_cast<int>(told[rank].first_rank));
    if (told[rank].first_rank == rank) fresh->first_ranks.push_back(static_cast<int>(rank));
  }
  for (const int rank : comm.node_ranks()) fresh->offsets.push_back(told[static_cast<std::size_t>(rank)].offset);
  places_ = std::move(fresh);
}

const channel_state::broadcast_places* channel_state::places(const communicator& comm) {
  const std::lock_guard lock(guard_);
  if (places_) return places_.get();
  if (no_places_) std::rethrow_exception(no_places_);
  if (!arranging_) arrange(comm);
  try {
    if (!arranging_->all.test()) return nullptr;
    look_at_places(comm, patient::values_in<place>(arranging_->all.result()));
  } catch (const error& why) {
    const auto kind = why.kind() == error_kind::mismatch ? error_kind::state : why.kind();
    no_places_ = std::make_exception_ptr(error(
        kind, "broadcast", detail::text("this communicator cannot broadcast: ", why.text()), comm.rank(), why.peers()));
  }
  arranging_.reset();
  if (no_places_) std::rethrow_exception(no_places_);
  return places_.get();
}

std::vector<int> channel_state::late_ranks(const communicator& comm) {
  const auto late = [&] {
    const std::lock_guard lock(guard_);
    return arranging_ ? arranging_->all.not_heard_of() : std::vector<int>();
  };
  {
    const std::lock_guard lock(guard_);
    if (arranging_) arranging_->all.ask_who_is_here();
  }
  patience wait(comm, "broadcast", "roll call");
  const auto until = std::chrono::steady_clock::now() + consensus::time_to_answer();
  while (!late().empty() && places(comm) == nullptr && std::chrono::steady_clock::now() < until) wait.pause_in_vain();
  return late();
}

}  // namespace wherry
