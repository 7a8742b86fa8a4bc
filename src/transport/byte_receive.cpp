// The reading end of a stream from one rank to another.
#include <cstdint>
#include <memory>
#include <string>

#include "wherry/core/error.hpp"
#include "wherry/transport/byte_channels.hpp"

#include "byte_channel_state.hpp"
#include "byte_flight.hpp"
#include "byte_sources.hpp"
#include "channel/pending_message.hpp"
#include "flight/abandonable.hpp"
#include "flight/companions.hpp"

namespace wherry {
namespace {

template <class Windows> using rest_of = std::unique_ptr<arriving_windows<Windows>>;

/// Takes the windows that still come and throws them away.
template <class Windows> void drain(std::string_view where, const communicator& comm, rest_of<Windows> windows) {
  const abandonable rest(std::move(windows));
  wait_until(
      comm, where, [&] { return rest->drain(); },
      [&](std::vector<int>& ranks) { rest->windows().append_missing(ranks); });
}

std::unique_ptr<byte_source> read_ring(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                       int from, std::unique_ptr<first_piece> first, std::string_view refusal) {
  const auto stream = first->head.position;
  ring_reader reader(comm, comm.node_index(from), first->head.ring, 0);
  reader.begin_at(stream);
  auto rest = std::make_unique<arriving_windows<ring_windows>>(where, comm, reader, from, stream);
  if (refusal.empty()) {
    reader.accept(stream);
    return std::make_unique<window_source<ring_windows>>(where, comm, fingerprint, std::move(first), std::move(rest),
                                                         channel_state::of(comm)->log());
  }
  reader.give_up(stream, refusal);
  drain(where, comm, std::move(rest));
  throw_other_type(where, comm, from);
}

std::unique_ptr<byte_source> read_messages(std::string_view where, const communicator& comm, std::uint64_t fingerprint,
                                           int from, std::unique_ptr<first_piece> first, std::string_view refusal) {
  auto rest = std::make_unique<arriving_windows<message_windows>>(comm, *first, from, refusal);
  if (refusal.empty())
    return std::make_unique<window_source<message_windows>>(where, comm, fingerprint, std::move(first), std::move(rest),
                                                            channel_state::of(comm)->log());
  if (first->head.route == stream_route::messages) rest->expect_none();
  drain(where, comm, std::move(rest));
  throw_other_type(where, comm, from);
}

/// Receives the first message of a stream. If the wait fails, a user's receive is cancelled and has taken nothing. In a
/// collective call no later receive would take the message, so the receive is left to the graveyard.
std::unique_ptr<first_piece> receive_first(std::string_view where, const communicator& comm, int from,
                                           detail::stream_tag tag, std::uint64_t fingerprint, MPI_Status& status) {
  const auto channels = channel_state::of(comm);
  auto first = channels->take_piece();
  pending_message message;
  message.receive(comm, first.get(), sizeof(first_piece), from, tag.mpi());
  const auto await = [&] { wait_until(comm, where, [&] { return message.done(&status); }, from); };
  const auto leave_to_arrive = [&] {
    auto rest = std::make_unique<receive_flight>(where, comm, from, fingerprint, std::move(first), std::move(message));
    abandon_flight(std::move(rest));
  };
  try {
    await();
  } catch (...) {
    if (!tag.is_users()) {
      leave_to_arrive();
      throw;
    }
    message.cancel();
    try {
      await();
    } catch (...) {
      leave_to_arrive();
      throw;
    }
    if (pending_message::was_cancelled(status)) {
      channels->give_back(std::move(first));
      throw;
    }
  }
  return first;
}

}  // namespace

detail::arriving_bytes detail::open_receive(std::string_view where, const communicator& comm, int from,
                                            detail::stream_tag tag, std::uint64_t fingerprint) {
  if (from != MPI_ANY_SOURCE) detail::check_rank(where, comm, from);
  // Completes a stream that this rank has sent to itself.
  if (from == MPI_ANY_SOURCE || from == comm.rank()) companions::progress();
  MPI_Status status{};
  auto first = receive_first(where, comm, from, tag, fingerprint, status);
  const int source = status.MPI_SOURCE;
  const auto& head = first->head;
  const bool same = head.magic == first_piece::expected_magic && head.fingerprint == fingerprint;
  const auto refusal = same ? std::string() : detail::text("rank ", comm.rank(), " reads another type");
  switch (head.route) {
    case stream_route::abandoned:
      throw_abandoned(where, comm, source, first->data, head.bytes);
    case stream_route::ring:
      return {read_ring(where, comm, fingerprint, source, std::move(first), refusal), source};
    case stream_route::messages:
    case stream_route::posted:
      return {read_messages(where, comm, fingerprint, source, std::move(first), refusal), source};
    case stream_route::none:
      break;
  }
  if (!same) throw_other_type(where, comm, source);
  return {std::make_unique<whole_piece>(where, comm, source, std::move(first), channel_state::of(comm)->log()), source};
}

}  // namespace wherry
