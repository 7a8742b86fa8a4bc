// Streams from one rank to all. On each node one rank, the publisher, writes them into its ring, and the other ranks of
// the node read them there. Between nodes the publishers form a binomial tree; each of them receives into its ring and
// passes windows on from there.
#include <cstdint>
#include <memory>

#include "wherry/core/error.hpp"
#include "wherry/core/hash.hpp"
#include "wherry/core/settings.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_arrival.hpp"
#include "byte_channel_state.hpp"
#include "byte_flight.hpp"
#include "byte_sinks.hpp"
#include "flight/abandonable.hpp"

namespace wherry {

void detail::compare_calls(std::string_view where, const communicator& comm, int root, std::uint64_t fingerprint) {
  detail::check_that_mpi_runs(where);
  if (!current_settings().check) return;
  const auto both = detail::hashed(fingerprint, static_cast<std::uint64_t>(root));
  detail::agree_or_throw(comm, where, nullptr, static_cast<std::uint32_t>(both),
                         "the ranks name different roots, or different types");
}

namespace {

detail::byte_flight send_packed(std::string_view where, const communicator& comm, broadcast_call call,
                                std::uint64_t fingerprint, detail::packed_stream&& packed) {
  auto list = std::move(packed).take();
  list->first->head.root = comm.rank();
  return detail::byte_flight(std::make_unique<send_flight>(
      where, comm, place_among_all(comm.size(), comm.rank(), comm.rank()).children, call.message_tag, fingerprint,
      std::move(list), call.message_tag, stray_streams(where, comm, call)));
}

/// Waits until all ranks have told where they publish. If a rank does not come, the error that names it is also sent to
/// the ranks that wait for this root.
const channel_state::broadcast_places& await_places(std::string_view where, const communicator& comm,
                                                    broadcast_call call, std::uint64_t fingerprint) {
  const auto channels = channel_state::of(comm);
  const channel_state::broadcast_places* places = nullptr;
  try {
    wait_until(
        comm, where, [&] { return (places = channels->places(comm)) != nullptr; },
        [&](std::vector<int>& ranks) { ranks = channels->late_ranks(comm); });
  } catch (const error& late) {
    detail::packed_stream reason(where, comm);
    reason.abandon(late.text());
    send_packed(where, comm, call, fingerprint, std::move(reason)).leave();
    throw;
  }
  return *places;
}

/// Waits for the ring in which this rank publishes. It is free when this rank has published all earlier broadcasts.
ring_lease await_ring(std::string_view where, const communicator& comm, std::uint64_t stream) {
  ring_lease ring;
  wait_until(
      comm, where,
      [&] {
        ring = ring_lease(comm, stream);
        return static_cast<bool>(ring);
      },
      -1);
  return ring;
}

}  // namespace

void detail::expect_nothing(std::string_view where, const communicator& comm, detail::stream_tag tag) {
  stray_streams(where, comm, tag.mpi()).refuse();
}

std::unique_ptr<byte_sink> detail::open_bcast(std::string_view where, const communicator& comm,
                                              std::uint64_t fingerprint) {
  detail::compare_calls(where, comm, comm.rank(), fingerprint);
  require_reach(where, comm);
  const auto call = channel_state::of(comm)->next_broadcast(comm);
  const auto& places = await_places(where, comm, call, fingerprint);
  auto mine = place_in_tree(places.first_of_node, places.first_ranks, comm.rank(), comm.rank());
  auto to = taken_by(places.first_of_node, comm.node_ranks(), comm.rank(), mine.children);
  return std::make_unique<stream_sink>(
      where, comm,
      std::make_unique<leaving_stream>(comm, await_ring(where, comm, call.stream), std::move(mine.children),
                                       call.window_tag, fingerprint, call.stream),
      std::move(to), stray_streams(where, comm, call));
}

std::unique_ptr<byte_source> detail::join_bcast(std::string_view where, const communicator& comm, int root,
                                                std::uint64_t fingerprint) {
  constexpr int patient_polls = 40;
  detail::check_rank(where, comm, root);
  detail::compare_calls(where, comm, root, fingerprint);
  require_reach(where, comm);
  const abandonable arrival(std::make_unique<broadcast_arrival>(
      where, comm, root, channel_state::of(comm)->next_broadcast(comm), fingerprint, patient_polls));
  const auto await = [&](auto ready) {
    const auto append_missing = [&](std::vector<int>& ranks) { arrival->append_missing(ranks); };
    wait_until(comm, where, ready, append_missing, arrival->record.get());
  };
  await([&] { return arrival->has_begun(); });
  if (auto stream = arrival->stream()) return stream;
  await([&] { return arrival->test(); });
  return arrival->bytes();
}

detail::byte_flight detail::start_bcast(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                        detail::packed_stream&& packed) {
  detail::compare_calls(where, comm, comm.rank(), fingerprint);
  require_reach(where, comm);
  const auto channels = channel_state::of(comm);
  const auto call = channels->next_broadcast(comm);
  channels->places(comm);  // begins the agreement, which other broadcasts need
  return send_packed(where, comm, call, fingerprint, std::move(packed));
}

detail::byte_flight detail::start_bcast(std::string_view where, const communicator& comm, int root,
                                        std::uint64_t fingerprint) {
  detail::check_rank(where, comm, root);
  detail::compare_calls(where, comm, root, fingerprint);
  require_reach(where, comm);
  return detail::byte_flight(std::make_unique<broadcast_arrival>(
      where, comm, root, channel_state::of(comm)->next_broadcast(comm), fingerprint, 0));
}

}  // namespace wherry
