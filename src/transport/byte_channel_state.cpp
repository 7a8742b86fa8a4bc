#include "byte_channel_state.hpp"

#include <mpi.h>

#include <algorithm>

#include "wherry/core/mpi.hpp"

#include "byte_flight.hpp"
#include "core/collective.hpp"

namespace wherry {
namespace {

extern "C" int wherry_forget_channels(MPI_Comm, int, void* attribute, void*) {
  delete static_cast<channel_state*>(attribute);
  return MPI_SUCCESS;
}

int attribute_key() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, wherry_forget_channels, &made, nullptr),
              "MPI_Comm_create_keyval");
    return made;
  }();
  return key;
}

// Tags above those of `communicator::next_tag`: first the users', then pairs for the windows of streams.
int largest_tag() {
  int* limit = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, static_cast<void*>(&limit), &found);
  return found != 0 ? *limit : 32767;
}
int first_users_tag() { return largest_tag() / 2 + 1; }
int first_body_tag() { return largest_tag() - largest_tag() / 8; }

std::mutex& attribute_guard() {
  static std::mutex guard;
  return guard;
}

}  // namespace

channel_state::channel_state() = default;
channel_state::~channel_state() = default;

stream_tag stream_tag::of_user(const communicator& comm, int tag, std::string_view where) {
  if (tag < 0 || tag > largest(comm))
    throw error(error_kind::argument, where, text("tag ", tag, " is not in 0 … ", largest(comm)), comm.rank());
  return stream_tag(first_users_tag() + tag);
}

int stream_tag::largest(const communicator&) { return first_body_tag() - first_users_tag() - 1; }

channel_state& channel_state::of(const communicator& comm) {
  const std::lock_guard lock(attribute_guard());
  void* attribute = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(comm.handle(), attribute_key(), static_cast<void*>(&attribute), &found),
            "MPI_Comm_get_attr");
  if (found != 0) return *static_cast<channel_state*>(attribute);
  auto fresh = std::make_unique<channel_state>();
  check_mpi(MPI_Comm_set_attr(comm.handle(), attribute_key(), fresh.get()), "MPI_Comm_set_attr");
  return *fresh.release();
}

ring_writer& channel_state::take_ring(const communicator& comm, bool shared) {
  const std::lock_guard lock(guard_);
  for (auto& r : rings_)
    if (!r.taken && r.shared == shared && r.ring->drained()) {
      r.taken = true;
      return *r.ring;
    }
  rings_.push_back({std::make_unique<ring_writer>(comm, shared ? 1 : 0), shared, true});
  return *rings_.back().ring;
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

int channel_state::next_body_tag(const communicator&) {
  const std::lock_guard lock(guard_);
  const int pairs = (largest_tag() - first_body_tag()) / 2;
  body_tag_ = (body_tag_ + 1) % pairs;
  return first_body_tag() + 2 * body_tag_;
}

void channel_state::leave(std::unique_ptr<byte_flight::state> flight) {
  const std::lock_guard lock(guard_);
  left_.push_back(std::move(flight));
}

void channel_state::forget_delivered() {
  const std::lock_guard lock(guard_);
  std::erase_if(left_, [](auto& flight) { return flight->advance(); });
}

channel_state::broadcast_places& channel_state::places(const communicator& comm) {
  if (places_) return *places_;
  auto fresh = std::make_unique<broadcast_places>();
  const auto& node = comm.node_ranks();
  fresh->shared = comm.arena() != nullptr && node.size() > 1;
  collectively(comm, "broadcast", [&] {
    const int myself = comm.node_index(comm.rank());
    fresh->mine = std::make_unique<ring_writer>(comm, fresh->shared ? static_cast<int>(node.size()) : 0, myself);
  });
  struct place {
    std::uint64_t offset, first;
  };
  const place mine{fresh->mine->offset(), static_cast<std::uint64_t>(fresh->shared ? node.front() : comm.rank())};
  const auto all = patient::allgather(comm, "broadcast", mine);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    fresh->first_of_node.push_back(static_cast<int>(all[rank].first));
    if (all[rank].first == rank) fresh->first_ranks.push_back(static_cast<int>(rank));
  }
  for (const int rank : node) fresh->offsets.push_back(all[static_cast<std::size_t>(rank)].offset);
  places_ = std::move(fresh);
  return *places_;
}

}  // namespace wherry
