#include "byte_roots.hpp"

#include <atomic>
#include <memory>

#include "wherry/core/error.hpp"
#include "wherry/core/mpi.hpp"

#include "byte_flight.hpp"
#include "byte_sources.hpp"
#include "flight/abandonable.hpp"
#include "flight/companions.hpp"

namespace wherry {

void stray_streams::throw_other_root(int other) const {
  throw error(
      error_kind::mismatch, where_,
      detail::text("the ranks name different roots: rank ", other, " sends as root, and so does rank ", comm_.rank()),
      comm_.rank(), {other});
}

std::optional<int> stray_streams::sender(int tag) const {
  int here = 0;
  MPI_Status status{};
  for (int i = 0; i < 2 && here == 0; ++i)  // the first probe may only bring it near
    check_mpi(PMPI_Iprobe(MPI_ANY_SOURCE, tag, comm_.private_handle(), &here, &status), "MPI_Iprobe");
  return here != 0 ? std::optional(status.MPI_SOURCE) : std::nullopt;
}

void stray_streams::look_into_rings(const channel_state::broadcast_places& places) const {
  if (comm_.arena() == nullptr) return;
  const int me = comm_.node_index(comm_.rank());
  // This root has published. The fence lets at least one of two roots see the other's window.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  for (const int other : comm_.node_ranks()) {
    const auto publisher = [&](int rank) { return places.first_of_node[static_cast<std::size_t>(rank)]; };
    if (other == comm_.rank() || publisher(other) != publisher(comm_.rank())) continue;  // no ring to look into
    const int owner = comm_.node_index(other);
    ring_reader reader(comm_, owner, places.offsets[static_cast<std::size_t>(owner)], me);
    if (!reader.catch_up() || !reader.ready() || reader.window().head.stream != call_->stream) continue;
    abandon_flight(std::make_unique<arriving_windows<ring_windows>>(where_, comm_, places, other, call_->stream));
    throw_other_root(other);
  }
}

void stray_streams::refuse() const {
  if (comm_.size() == 1) return;
  if (!call_) return look_at_messages();
  const auto channels = channel_state::of(comm_);
  refuse_late(where_, comm_);
  channels->was_root_of(*call_);
  const auto* places = channels->places(comm_);
  if (places != nullptr) look_into_rings(*places);
  if (places == nullptr || places->first_ranks.size() > 1) look_at_messages();
}

void stray_streams::refuse_late(std::string_view where, const communicator& comm) {
  const auto channels = channel_state::of(comm);
  const auto earlier = channels->last_root_of();
  if (!earlier) return;
  const stray_streams others(where, comm, *earlier);
  if (const auto* places = channels->places(comm)) others.look_into_rings(*places);
  others.look_at_messages();
}

void stray_streams::look_at_messages() const {
  if (const auto other = call_ ? sender(call_->window_tag) : std::nullopt) {
    abandon_flight(std::make_unique<arriving_windows<relayed_windows>>(
        where_, comm_, ring_lease(comm_, ring_use::messages), call_->stream, *other, call_->window_tag,
        std::vector<int>{}));
    throw_other_root(*other);
  }
  if (const auto other = sender(tag_)) {
    abandon_flight(std::make_unique<receive_flight>(where_, comm_, *other, tag_, 0));
    throw_other_root(*other);
  }
}

}  // namespace wherry
