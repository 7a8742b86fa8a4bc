#include "byte_arrival.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "wherry/core/error.hpp"

namespace wherry {
namespace {

bool message_is_here(const communicator& comm, int from, int tag) {
  int here = 0;
  check_mpi(PMPI_Iprobe(from, tag, comm.private_handle(), &here, MPI_STATUS_IGNORE), "MPI_Iprobe");
  return here != 0;
}

}  // namespace

broadcast_arrival::broadcast_arrival(std::string_view called, const communicator& on, int root, broadcast_call call,
                                     std::uint64_t fingerprint, int polls)
    : state(called, on, std::make_shared<stream_record>(called, channel_state::of(on)->log(), false)),
      channels_(channel_state::of(on)),
      awaited_(channels_, call.stream),
      root_(root),
      call_(call),
      fingerprint_(fingerprint),
      polls_(polls),
      among_all_(place_among_all(on.size(), on.rank(), root)) {
  places_ = channels_->places(comm);
}

void broadcast_arrival::settle() {
  begun_ = true;
  awaited_.is_settled();
}

void broadcast_arrival::look_for_windows() {
  if (places_ == nullptr) places_ = channels_->places(comm);
  if (places_ == nullptr) return;
  if (among_nodes_.publisher < 0) {
    among_nodes_ = place_in_tree(places_->first_of_node, places_->first_ranks, comm.rank(), root_);
    if (among_nodes_.publisher != comm.rank()) {
      awaited_.is_settled();
      ring_ =
          std::make_unique<arriving_windows<ring_windows>>(where, comm, *places_, among_nodes_.publisher, call_.stream);
    }
  }
  if (ring_) {
    begun_ = ring_->windows().is_here();
  } else if (message_is_here(comm, among_nodes_.parent, call_.window_tag)) {
    ring_lease ring(comm, call_.stream);
    if (!ring) return;
    relay_ = std::make_unique<arriving_windows<relayed_windows>>(where, comm, std::move(ring), call_.stream,
                                                                 among_nodes_.parent, call_.window_tag,
                                                                 std::move(among_nodes_.children));
    settle();
  }
}

bool broadcast_arrival::has_begun() {
  if (begun_) return true;
  if (!std::exchange(has_looked_back_, true)) stray_streams::refuse_late(where, comm);
  look_for_windows();
  if (begun_ || --polls_ > 0) return begun_;
  polls_ = 0;
  if (!message_is_here(comm, among_all_.parent, call_.message_tag)) return false;
  ring_.reset();
  messages_ = std::make_unique<receive_flight>(where, comm, among_all_.parent, call_.message_tag, fingerprint_,
                                               std::move(among_all_.children), root_, record);
  settle();
  return true;
}

bool broadcast_arrival::let_go() noexcept { return handed_over_ || state::let_go(); }

void broadcast_arrival::tell_others() {
  if (messages_) messages_->let_go();
  if (ring_) ring_->windows().leave();
  if (relay_) relay_->windows().leave();
}

std::unique_ptr<byte_source> broadcast_arrival::stream() {
  handed_over_ = ring_ || relay_;
  if (ring_) {
    ring_->windows().keep(std::move(awaited_));
    return std::make_unique<window_source<ring_windows>>(where, comm, fingerprint_, nullptr, std::move(ring_),
                                                         channels_->log(), root_);
  }
  if (relay_)
    return std::make_unique<window_source<relayed_windows>>(where, comm, fingerprint_, nullptr, std::move(relay_),
                                                            channels_->log(), root_);
  return nullptr;
}

template <class Windows> bool broadcast_arrival::keep(arriving_windows<Windows>& windows) {
  if (!list_) {
    list_ = std::make_unique<window_list>();
    record->comes_from(windows.windows().writer());
  }
  while (!windows.ended()) {
    const auto* window = windows.next();
    if (window == nullptr) return windows.windows().is_over();
    auto& copy = *list_->windows.emplace_back(fresh_window());
    std::memcpy(&copy, window, window->message_bytes());
    if (copy.head.state == window_state::abandoned) continue;
    record->goes_by(std::is_same_v<Windows, ring_windows> ? stream_way::rings : stream_way::messages);
    record->add(copy.head.bytes);
  }
  if (!windows.drain()) return false;
  const auto& last = *list_->windows.back();
  try {
    if (last.head.state == window_state::abandoned) throw_abandoned(where, comm, root_, last.data, last.head.bytes);
    compare_roots(where, comm, root_, last.head.root);
    if (last.head.fingerprint != fingerprint_) throw_other_type(where, comm, root_);
  } catch (const error&) {
    if (!problem) problem = std::current_exception();
  }
  return true;
}

bool broadcast_arrival::move() {
  try {
    if (!has_begun()) return ring_ && ring_->windows().is_over();
  } catch (const error& refusal) {  // about an earlier broadcast; this one comes nevertheless
    if (refusal.kind() != error_kind::mismatch) throw;
    if (!problem) problem = std::current_exception();
    return false;
  }
  if (ring_) return keep(*ring_);
  if (relay_) {
    if (!keep(*relay_)) return false;
    relay_.reset();  // the ring is needed for the next broadcast
    return true;
  }
  if (!messages_ || !messages_->move()) return !messages_;
  if (!problem) problem = messages_->problem;
  return true;
}

void broadcast_arrival::append_missing(std::vector<int>& ranks) const {
  if (messages_) return messages_->append_missing(ranks);
  if (relay_) return relay_->windows().append_missing(ranks);
  if (places_ == nullptr) ranks = channels_->late_ranks(comm);
  if (!ranks.empty()) return;
  ranks.push_back(root_);
  // Other ranks may have to pass the broadcast on first.
  if (among_nodes_.publisher >= 0 && among_nodes_.publisher != comm.rank()) ranks.push_back(among_nodes_.publisher);
  if (among_nodes_.publisher == comm.rank()) ranks.push_back(among_nodes_.parent);
}

std::unique_ptr<byte_source> broadcast_arrival::bytes() {
  return messages_ ? messages_->bytes() : read_list(where, comm, fingerprint_, root_, std::move(list_));
}

}  // namespace wherry
